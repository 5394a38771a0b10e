"""How the models of Wang et al. 2012 are trained and judged (§5.1–5.4): parameters searched for each fold at α = 0,
the same for all other α, on MSLR-WEB10K or other queries with a text score, and on pages to personalise by place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.feature import Feature
from riskrank.data.letor.reader import read_letor
from riskrank.data.ranking_data import RankingData
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.data.synthetic.synthetic_pages import location_pages
from riskrank.errors import TrainingError
from riskrank.objectives.urisk import URisk
from riskrank.papers.data_folders import (
    LETOR,
    MSLR,
    MSLR_FEATURES,
    N_FOLDS,
    PARTS,
    features_in,
    known_as_mslr,
    letor_folds,
)
from riskrank.rankers.selective.query_features import with_query_features
from riskrank.rankers.trees.lambdamart import LambdaMART
from riskrank.tradeoff.run_sweep import sweep
from riskrank.tradeoff.training.joined_sweeps import join_sweeps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from riskrank.papers.paper import Workplace
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import FoldLike

Parts = tuple[RankingData, RankingData, RankingData]
NEEDS = f"{MSLR}; or, to try it on other data, {LETOR}"
BM25 = {MSLR_FEATURES: 110, 46: 37}  # of the whole document, by the number of features: MSLR, LETOR 4.0
SECONDS = 5.3e-9  # of one core, for a tree, a document and a feature; measured with 84,000 × 136 and 50 leaves
LETTERS = 8.5  # of a feature in a file, about
OVERHEAD = 0.5  # seconds of a training apart from its trees
READ_PER_SECOND = 50_000_000  # bytes of a file, with all that is computed before training
TRAINING_SHARE = 0.6
ENTROPY = 3  # the feature of pages that selective use goes by


@dataclass(frozen=True)
class Search:
    """The parameters that are tried on each fold at α = 0 (§5.4)."""

    min_docs_in_leaf: tuple[int, ...]
    n_leaves: tuple[int, ...]
    learning_rates: tuple[float, ...]
    n_trees: tuple[int, ...]

    @property
    def n_trainings(self) -> int:
        """How many models are trained; one of many trees has those of fewer trees in it."""
        return len(self.min_docs_in_leaf) * len(self.n_leaves) * len(self.learning_rates)


@dataclass(frozen=True)
class Sizes:
    """The parameters tried, and the size of generated data, by the rule of docs/papers.md."""

    search: Search
    n_queries: int = 500
    documents_per_query: int = 25
    n_pages: int = 5000
    page_trees: int = 100


PAPERS_SEARCH = Search((500, 1000, 1500), (10, 25, 50), (0.025, 0.05, 0.075), (50, 100, 200, 400, 800))
SMALL = Sizes(Search((20, 50), (5, 10), (0.1,), (25, 50, 100)))
FULL = Sizes(PAPERS_SEARCH)


class Chosen(NamedTuple):
    """The parameters with the largest nDCG@10 on a fold's validation queries."""

    min_docs_in_leaf: int
    n_leaves: int
    learning_rate: float
    n_trees: int


@dataclass(frozen=True)
class Study:
    """A collection's models, fold by fold; `why_not` says why their numbers are not the paper's."""

    data: str
    folds: tuple[Sweep, ...]
    chosen: tuple[Chosen, ...]
    predictor: str
    departures: tuple[str, ...]
    why_not: str

    @cached_property
    def sweep(self) -> Sweep:
        """All folds as one."""
        return join_sweeps(self.folds)


def mslr_study(work: Workplace, alphas: Sequence[float], sizes: Sizes | None = None) -> Study:
    """On the reader's MSLR-WEB10K (or LETOR 4.0, to try it), else on generated queries of web search."""
    if work.data is None:
        size = sizes or SMALL
        data = web_search_data(size.n_queries, documents_per_query=size.documents_per_query, n_features=30)
        folds: list[Callable[[], Parts]] = [partial(_read, fold, data.n_features) for fold in rotated(data)]
        words, text, why_not = "generated queries of web search", 1, "generated queries, not MSLR-WEB10K"
        departures = [f"Data are {words} with a text score in place of BM25, not MSLR-WEB10K."]
    else:
        n_features, listed = _letor(work.data)
        size, text = sizes or (FULL if n_features == MSLR_FEATURES else SMALL), BM25[n_features]
        folds = [partial(_read, fold, n_features) for fold in listed]
        words, why_not, departures = "MSLR-WEB10K", "", []
        if n_features != MSLR_FEATURES:
            words, why_not = "LETOR 4.0", f"other data than MSLR-WEB10K: queries with {n_features} features"
            departures = [f"Data are of {words}, and not MSLR-WEB10K; feature {text} is BM25 of the whole document."]
    if size.search != PAPERS_SEARCH:
        departures.append(_other_search(size.search))
    predictor = f"max feature:{text}"
    results = [_fold(work, "mslr", k, make(), text, predictor, alphas, size.search) for k, make in enumerate(folds, 1)]
    n_tested = sum(len(swept.test.queries) for _, swept in results)
    if not why_not:
        words, why_not = known_as_mslr(n_tested)
    return Study(
        data=f"{words}, {n_tested:,} test queries", folds=tuple(swept for _, swept in results),
        chosen=tuple(chosen for chosen, _ in results), predictor=predictor, departures=(*departures, *COMMON),
        why_not=why_not,
    )  # fmt: skip


COMMON = (
    "The third learning rate tried is 0.075, which the paper finds best; its list has 0.07.",
    "Trees are LightGBM's, grown leaf by leaf with Newton steps; the paper's LambdaMART is not public.",
)


def location_study(work: Workplace, alphas: Sequence[float], sizes: Sizes | None = None) -> Study:
    """On generated pages, whoever has which data: the paper's logs are not public."""
    size = sizes or SMALL
    data = location_pages(size.n_pages)
    only = Search((20,), (10,), (0.1,), (size.page_trees,))
    predictor = f"min feature:{ENTROPY}"
    results = [
        _fold(work, "location", k, parts, 1, predictor, alphas, only, measure="RR")
        for k, parts in enumerate(rotated(data), 1)
    ]
    return Study(
        data=f"{size.n_pages:,} generated pages", folds=tuple(swept for _, swept in results),
        chosen=tuple(chosen for chosen, _ in results), predictor=predictor,
        departures=(
            "Location data are generated pages: the paper's logs are not public.",
            f"Location: {size.page_trees} trees of 10 leaves with at least 20 documents at a rate of 0.1, for RR; the "
            "paper takes the parameters of another one.",
        ),
        why_not="generated pages: the Location logs are not public",
    )  # fmt: skip


def rotated(data: RankingData) -> list[Parts]:
    """Five folds, each with three parts to train on, one to validate and one to test, as LETOR rotates them."""
    parts = np.array_split(np.arange(data.n_queries), N_FOLDS)
    turns = [parts[k:] + parts[:k] for k in range(N_FOLDS)]
    return [(data.take(np.sort(np.concatenate(turn[:3]))), data.take(turn[3]), data.take(turn[4])) for turn in turns]


def mslr_seconds(n_alphas: int, work: Workplace) -> float:
    """About how long the study takes on the reader's data, without the models that are there already."""
    if work.data is None:
        return 0.0
    n_features, _ = _letor(work.data)
    search = PAPERS_SEARCH if n_features == MSLR_FEATURES else SMALL.search
    n_bytes = sum(file.stat().st_size for file in work.data.glob("Fold*/*.txt")) or 15 * 2**20
    n_documents = TRAINING_SHARE * n_bytes / N_FOLDS / (LETTERS * n_features)
    n_trainings = N_FOLDS * (search.n_trainings + n_alphas)
    n_finished = sum(1 for _ in work.place("mslr").rglob("finished.json"))
    each = OVERHEAD + SECONDS * max(search.n_trees) * n_documents * n_features
    return n_bytes / READ_PER_SECOND + max(0, n_trainings - n_finished) * each / usable_cores()


def _letor(folder: Path) -> tuple[int, list[FoldLike]]:
    """The number of features and the folds of the reader's data, looked at before any work."""
    starts = (folder / "S1.txt", folder / "Fold1" / f"{PARTS[0]}.txt")
    n_named = next((features_in(file) for file in starts if file.is_file()), MSLR_FEATURES)
    n_features = n_named if n_named in BM25 else MSLR_FEATURES
    return n_features, letor_folds(folder, NEEDS, n_features=n_features)


def _read(fold: FoldLike, n_features: int) -> Parts:
    train, valid, test = (
        part if isinstance(part, RankingData) else read_letor(part, n_features=n_features)
        for part in fold
        if part is not None
    )
    return train, valid, test


def _fold(
    work: Workplace,
    name: str,
    number: int,
    parts: Parts,
    text: int,
    predictor: str,
    alphas: Sequence[float],
    search: Search,
    measure: str = "nDCG@10",
) -> tuple[Chosen, Sweep]:
    """One fold: the best parameters at α = 0, then a model for each α; all see what selective use goes by (§5.4)."""
    train, valid, test = (with_query_features(part, predictor) for part in parts)
    place, baseline = work.place(name), Feature(text)
    chosen = Chosen(search.min_docs_in_leaf[0], search.n_leaves[0], search.learning_rates[0], search.n_trees[0])
    if search.n_trainings * len(search.n_trees) > 1:
        tried = sweep(
            [(train, valid, test)],
            {_series(m, n): _ranker(measure, m, n, 0.1, max(search.n_trees)) for m, n in _shapes(search)},
            parameter="learning_rate", values=search.learning_rates, baseline=baseline,
            folder=place / f"search-{number}", verbose=work.verbose,
        )  # fmt: skip
        chosen = best_parameters(tried, search)
    ranker = _ranker(measure, chosen.min_docs_in_leaf, chosen.n_leaves, chosen.learning_rate, chosen.n_trees)
    others = ["nDCG@1"] if measure == "nDCG@10" else []
    swept = sweep(
        [(train, valid, test)], ranker, baseline=baseline, values=alphas, measures=others, predictors=[predictor],
        folder=place / f"fold-{number}", verbose=work.verbose,
    )  # fmt: skip
    return chosen, swept


def best_parameters(tried: Sweep, search: Search) -> Chosen:
    """Those with the largest effectiveness on validation queries; of equal ones the first."""
    shapes = {_series(m, n): (m, n) for m, n in _shapes(search)}
    candidates = [
        (float(curve[n_trees - 1]), Chosen(*shapes[setting.series], setting.value, n_trees))
        for curve, setting in zip((rows[0] for rows in tried.learning), tried.settings, strict=True)
        for n_trees in search.n_trees
        if len(curve) >= n_trees  # no tree grows where there are fewer documents than two leaves need
    ]
    if not candidates:
        needed = f"{min(search.n_trees)} trees of leaves with {min(search.min_docs_in_leaf):,} documents"
        raise TrainingError(f"the data have too few documents to learn from: {needed} are needed. Are they all there?")
    return max(candidates, key=lambda each: each[0])[1]


def _shapes(search: Search) -> list[tuple[int, int]]:
    return [(m, n) for m in search.min_docs_in_leaf for n in search.n_leaves]


def _series(min_docs_in_leaf: int, n_leaves: int) -> str:
    return f"{min_docs_in_leaf} documents {n_leaves} leaves"


def _ranker(measure: str, min_docs_in_leaf: int, n_leaves: int, learning_rate: float, n_trees: int) -> LambdaMART:
    return LambdaMART(
        URisk(measure, alpha=0.0, truncation=None, normalise="none"), n_trees=n_trees, n_leaves=n_leaves,
        min_docs_in_leaf=min_docs_in_leaf, learning_rate=learning_rate,
    )  # fmt: skip


def _other_search(search: Search) -> str:
    tried = (
        ("documents in a leaf", search.min_docs_in_leaf), ("leaves", search.n_leaves),
        ("rates", search.learning_rates), ("trees", search.n_trees),
    )  # fmt: skip
    words = "; ".join(f"{name} {', '.join(f'{value:g}' for value in values)}" for name, values in tried)
    return f"Parameters tried on each fold are smaller, for smaller data: {words}."
