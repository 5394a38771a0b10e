"""The documents of a LETOR file as a whole: blocks of lines, and queries by their lines or by a file of group sizes."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.files import read_bytes
from riskrank.data.opening.packed_streams import without_ending
from riskrank.data.ranking_data import grouped
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.letor.letor_lines import Block
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import PathLike, Singles


@dataclass(frozen=True)
class LetorWay:
    """How a file is read: as many features as are wanted, what the first is called, and whether the others are 0."""

    n_features: int | None
    first_feature: int
    sparse: bool


def stacked(blocks: list[Block], rows: int, width: int) -> Singles:
    """The features of blocks, which are gone then."""
    if len(blocks) == 1 and blocks[0].features.shape[1] == width:
        return blocks[0].features
    features = np.empty((rows, width), np.float32)
    end = rows
    while blocks:  # each block's memory goes back before the next pages of the result are touched
        block = blocks.pop().features
        features[end - len(block) : end, : block.shape[1]] = block
        features[end - len(block) : end, block.shape[1] :] = 0
        end -= len(block)
    return features


def assembled(
    path: PathLike, blocks: list[Block], way: LetorWay, stack: Callable[[list[Block], int, int], Singles] = stacked
) -> RankingData:
    """The documents of blocks as a whole; `stack` brings their features together, so many rows of such a width."""
    width, n_features = max(block.features.shape[1] for block in blocks), way.n_features
    if n_features is not None:
        if n_features < width:
            raise FileError(path, f"has {width} features, {n_features} are expected.")
        n_cells = width * sum(len(block.labels) for block in blocks)
        if n_features > width and not way.sparse and 0 < n_cells == sum(block.n_values for block in blocks):
            reason = f"has {width} features on every line, {n_features} are expected."
            raise FileError(path, f"{reason} If the others are 0, say so (sparse=True).")
        width = n_features
    labels = np.concatenate([block.labels for block in blocks])
    if not len(labels):
        raise FileError(path, "has no documents.")
    query_starts: list[tuple[str, int]] = []
    start = 0
    for block in blocks:
        for query, row in block.query_starts:
            if not query_starts or query_starts[-1][0] != query:
                query_starts.append((query, start + row))
        start += len(block.labels)
    ids = None
    lists = [block.document_ids for block in blocks if block.document_ids is not None]
    if len(lists) == len(blocks):
        ids = np.array(list(itertools.chain.from_iterable(lists)), dtype=object)
    features = stack(blocks, len(labels), width)
    if not query_starts:
        query_starts = _sidecar_queries(path, len(labels))
    return grouped(features, labels, query_starts, ids, first_feature=way.first_feature)


def group_files(path: PathLike) -> list[Path]:
    """The files of group sizes that are looked for beside a LETOR file."""
    name = os.fspath(path)
    stems = dict.fromkeys([name, without_ending(name)])
    return [Path(f"{stem}.{kind}") for kind in ("query", "group") for stem in stems]


def _sidecar_queries(path: PathLike, rows: int) -> list[tuple[str, int]]:
    name = os.fspath(path)
    sidecar = next((candidate for candidate in group_files(path) if candidate.exists()), None)
    if sidecar is None:
        wanted = f"{Path(without_ending(name)).name}.query (or .group)"
        raise FileError(path, f"has neither 'qid:' on its lines nor group sizes in {wanted}.")
    query_starts: list[tuple[str, int]] = []
    start = 0
    for number, line in enumerate(read_bytes(sidecar).splitlines(), start=1):
        text = line.strip()
        if not text:
            continue
        if not text.isdigit() or len(text) > 18 or int(text) == 0:
            shown = quoted(text.decode(errors="replace"))
            raise FileError(sidecar, f"a group size must be a whole number from 1, got {shown}.", line=number)
        query_starts.append((str(len(query_starts) + 1), start))
        start += int(text)
    if start != rows:
        raise FileError(sidecar, f"group sizes add up to {start}, but {name} has {rows} documents.")
    return query_starts
