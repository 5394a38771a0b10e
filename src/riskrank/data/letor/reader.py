"""LETOR/SVMLight text with ``qid:``, plain or packed, and LightGBM's and XGBoost's files of group sizes.

Small files are parsed in plain Python at once; large ones by the compiled parser, in blocks, on all cores.
Both give exactly the float32 nearest to the text.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.files import HEAD, UTF8_BOM, check_text, opened, read_bytes, whole_lines
from riskrank.data.letor.float_memory import float_memory
from riskrank.data.letor.letor_lines import MAX_FEATURE, Block, exact_float32, parse_lines
from riskrank.data.opening.packed_streams import without_ending
from riskrank.data.ranking_data import RankingData, grouped
from riskrank.errors import FileError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.kernels.letor import LetorArrays
    from riskrank.typing import PathLike, Singles

SMALL = 6 << 20  # bytes of text; below it, plain Python is done before the compiled parser is loaded
BLOCK = 2 << 20
MAX_DOUBTFUL = 1000


def read_letor(
    path: PathLike, *, n_features: int | None = None, zero_based: bool = False, sparse: bool = False
) -> RankingData:
    """Feature data for learning to rank: lines ``label qid:1 1:0.5 2:0.1 … # document-id``.

    Features that a line does not name are 0; `nan`, `NULL` and the largest double mark a missing value. A file without
    ``qid:`` needs a file of group sizes beside it (``train.txt.query`` as for LightGBM, ``train.txt.group`` as for
    XGBoost).

    Parameters
    ----------
    path
        A text file, plain or packed (gzip, bzip2, xz, Zstandard), or its address (``s3://…``).
    n_features
        Widens the data, for a file that lacks the last features.
    sparse
        Widen them also where every line names all features of the file, as if it had no others: these are 0.
    zero_based
        Do feature numbers start at 0, rather than at 1?
    """
    try:
        blocks = list(read_blocks(path, zero_based=zero_based))
        return _assembled(path, blocks, n_features, first_feature=0 if zero_based else 1, sparse=sparse)
    except MemoryError:
        raise FileError(path, "its documents × features do not fit into memory.") from None


def read_blocks(path: PathLike, *, zero_based: bool = False) -> Iterator[Block]:
    """The documents of a LETOR file, some at a time, in order."""
    with opened(path) as file:
        head = file.read(max(SMALL, HEAD))
        check_text(path, head[:HEAD])
        text = head.removeprefix(UTF8_BOM)
        if len(head) < SMALL:
            yield parse_lines(text, path, zero_based=zero_based)
        else:
            yield from _parse_compiled(path, text, file, zero_based=zero_based)


def count_lines(path: PathLike) -> int:
    """How many lines a LETOR file has: about as many as documents."""
    with opened(path) as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(BLOCK), b"")) + 1


def check_letor(path: PathLike, *, zero_based: bool = False) -> None:
    """Refuse what is no such file by its first lines, before anything is done that takes longer."""
    with opened(path) as file:
        head = file.read(HEAD)
    check_text(path, head)
    end = len(head) if len(head) < HEAD else head.rfind(b"\n") + 1
    parse_lines(head[:end].removeprefix(UTF8_BOM), path, zero_based=zero_based)


def _assembled(
    path: PathLike, blocks: list[Block], n_features: int | None, *, first_feature: int, sparse: bool
) -> RankingData:
    width = max(block.features.shape[1] for block in blocks)
    if n_features is not None:
        if n_features < width:
            raise FileError(path, f"has {width} features, {n_features} are expected.")
        n_cells = width * sum(len(block.labels) for block in blocks)
        if n_features > width and not sparse and 0 < n_cells == sum(block.n_values for block in blocks):
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
    features = _stacked(blocks, len(labels), width)
    if not query_starts:
        query_starts = _sidecar_queries(path, len(labels))
    return grouped(features, labels, query_starts, ids, first_feature=first_feature)


def _stacked(blocks: list[Block], rows: int, width: int) -> Singles:
    if len(blocks) == 1 and blocks[0].features.shape[1] == width:
        return blocks[0].features
    stacked = np.empty((rows, width), np.float32)
    end = rows
    while blocks:  # each block's memory goes back before the next pages of the result are touched
        block = blocks.pop().features
        stacked[end - len(block) : end, : block.shape[1]] = block
        stacked[end - len(block) : end, block.shape[1] :] = 0
        end -= len(block)
    return stacked


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


def _parse_compiled(path: PathLike, head: bytes, file: IO[bytes], *, zero_based: bool) -> Iterator[Block]:
    """Blocks with documents, unless there is none."""
    empty: Block | None = None
    names_queries: bool | None = None
    for block in _compiled_blocks(path, head, file, zero_based=zero_based):
        if not len(block.labels):
            empty = block
            continue
        if names_queries not in (None, bool(block.query_starts)):
            raise FileError(path, "either every line needs 'qid:' or none.")
        names_queries = bool(block.query_starts)
        yield block
    if names_queries is None and empty is not None:
        yield empty


def _compiled_blocks(path: PathLike, head: bytes, file: IO[bytes], *, zero_based: bool) -> Iterator[Block]:
    first_lines = head[: head.rfind(b"\n", 0, HEAD) + 1]
    width = parse_lines(first_lines, path, zero_based=zero_based).features.shape[1]
    workers = usable_cores()
    waiting: deque[Future[Block]] = deque()
    line = 1
    pieces = (head[i : i + BLOCK] for i in range(0, len(head), BLOCK))
    with ThreadPoolExecutor(workers) as pool:
        for text in whole_lines(itertools.chain(pieces, iter(lambda: file.read(BLOCK), b""))):
            waiting.append(pool.submit(_parse_block, text, path, zero_based, line, width))
            line += text.count(b"\n")
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _parse_block(text: bytes, path: PathLike, zero_based: bool, first_line: int, width: int) -> Block:
    from riskrank.kernels.letor import parse_block

    n_lines = text.count(b"\n") + (not text.endswith(b"\n"))
    buffer = np.frombuffer(text, np.uint8)
    arrays = _allocated(n_lines, width)
    counts = parse_block(buffer, zero_based, arrays)
    if width < counts.width <= MAX_FEATURE:
        arrays = _allocated(n_lines, counts.width)
        counts = parse_block(buffer, zero_based, arrays)
    try:
        if not counts.is_usual or counts.width > MAX_FEATURE:
            raise ValueError
        for row, column, start, end in arrays.doubtful[: counts.doubtful].tolist():
            arrays.features[row, column] = exact_float32(text[start:end])
            if np.isinf(arrays.features[row, column]):
                raise ValueError
        spans = arrays.query_spans[: counts.queries].tolist()
        rows = arrays.query_rows[: counts.queries].tolist()
        query_starts = [(text[a:b].decode(), row) for row, (a, b) in zip(rows, spans, strict=True)]
        ids = None
        if counts.documents_with_id == counts.documents:
            ids = [text[a:b].decode() for a, b in arrays.document_spans[: counts.documents].tolist()]
    except ValueError:
        return parse_lines(text, path, zero_based=zero_based, first_line=first_line)
    features, labels = arrays.features[: counts.documents], arrays.labels[: counts.documents].copy()
    return Block(features, labels, query_starts, ids, counts.values)


def _allocated(n_lines: int, width: int) -> LetorArrays:
    from riskrank.kernels.letor import LetorArrays

    return LetorArrays(
        features=float_memory(n_lines, width),
        labels=np.empty(n_lines),
        document_spans=np.empty((n_lines, 2), np.int64),
        query_rows=np.empty(n_lines, np.int64),
        query_spans=np.empty((n_lines, 2), np.int64),
        doubtful=np.empty((MAX_DOUBTFUL, 4), np.int64),
    )
