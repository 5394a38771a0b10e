"""Training and test queries: real ones where they are here, and synthetic ones in several draws."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from trainers import Shape

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import cubic_data, web_search_data
from riskrank.data.synthetic.synthetic_pages import location_pages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from riskrank.data.ranking_data import RankingData

DATA = Path(os.environ.get("RISKRANK_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test queries, the feature that is the baseline, and others that could be."""

    train: RankingData
    test: RankingData
    baseline: int
    others: tuple[int, ...]


def data_sets(options: argparse.Namespace) -> Iterator[tuple[str, list[Split], Shape]]:
    """Every data set that is here."""
    small = Shape(options.trees, n_leaves=7, min_docs=20)
    if (DATA / "mq2008").is_dir():
        parts = [rr.read_letor(DATA / "mq2008" / f"S{i}.txt") for i in range(1, 6)]
        yield "MQ2008", [Split(joined(parts[:i] + parts[i + 1 :]), parts[i], 25, (21, 40)) for i in range(5)], small
    if (DATA / "mslr_sample").is_dir():
        train, test = (rr.read_letor(DATA / "mslr_sample" / f"msn1.fold1.{kind}.5k.txt") for kind in ("train", "test"))
        yield "MSLR sample", [Split(train, test, 110, (108, 130)), Split(test, train, 110, (108, 130))], small
    whole = Shape(options.trees)
    web = web_search_data(options.queries + options.queries // 2, n_features=60, random_state=11)
    yield f"synthetic web search of {options.queries:,}", [split_at(web, options.queries, 1, (9, 14))], whole
    draws = [
        split_at(web_search_data(3000, documents_per_query=50, n_features=40, random_state=seed), 1500, 1, (9, 14))
        for seed in range(4)
    ]
    yield "synthetic web search, four draws of 1,500", draws, whole
    yield "cubic polynomial", [split_at(cubic_data(3000, random_state=3), 1500, 1, (2, 3))], whole


def web(draw: int) -> Split:
    """100,000 documents to learn from, of which a tree sees a fifth."""
    data = web_search_data(3500, documents_per_query=40, n_features=40, random_state=7000 + draw)
    return split_at(data, 2500, 1, ())


def cubic(draw: int) -> Split:
    """50,000 documents, two fifths."""
    return split_at(cubic_data(2000, documents_per_query=50, n_features=30, random_state=7100 + draw), 1000, 1, ())


def pages(draw: int) -> Split:
    """60,000 documents on pages of ten, a third."""
    return split_at(location_pages(9000, random_state=7200 + draw), 6000, 1, ())


def mq2008(draw: int) -> Split:
    """Real queries: four fifths to learn from, drawn anew, documents in random order."""
    whole = joined([rr.read_letor(DATA / "mq2008" / f"S{i}.txt") for i in range(1, 6)])
    rng = np.random.default_rng(7300 + draw)
    order = rng.permutation(whole.n_queries)
    return split_at(shuffled(whole, order, rng), whole.n_queries * 4 // 5, 25, ())


KINDS: dict[str, tuple[Callable[[int], Split], Shape]] = {
    "web": (web, Shape(500)),
    "cubic": (cubic, Shape(500)),
    "pages": (pages, Shape(500)),
    "mq2008": (mq2008, Shape(500, n_leaves=15, min_docs=20, rate=0.05)),
}


def shuffled(data: RankingData, queries: Any, rng: np.random.Generator) -> RankingData:
    """Some queries in this order, the documents of each in random order."""
    rows = [rng.permutation(np.arange(*data.query_offsets[q : q + 2])) for q in queries]
    sizes = [len(each) for each in rows]
    chosen = np.concatenate(rows)
    names = tuple(data.query_ids[q] for q in queries)
    return rr.RankingData(data.features[chosen], data.labels[chosen], np.concatenate([[0], np.cumsum(sizes)]), names)


def split_at(data: RankingData, n_train: int, baseline: int, others: tuple[int, ...]) -> Split:
    return Split(data.take(slice(0, n_train)), data.take(slice(n_train, None)), baseline, others)


def joined(parts: list[RankingData]) -> RankingData:
    """Several parts as one."""
    sizes = np.concatenate([np.diff(part.query_offsets) for part in parts])
    return rr.RankingData(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([[0], np.cumsum(sizes)]),
        tuple(f"{i}-{query}" for i, part in enumerate(parts) for query in part.query_ids),
    )
