"""What `growth.py` measures: jobs that make their inputs, of a size, and return what is to be timed, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

import riskrank as rr
from riskrank.clicks.logs.log_files import read_log, write_log
from riskrank.clicks.preparation import prepare
from riskrank.clicks.simulator import World
from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.letor import reader
from riskrank.data.letor.writer import letor_text
from riskrank.data.trec.run_writer import run_lines
from riskrank.objectives.on_data.bound_objective import BoundObjective

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData

Works = dict[str, Callable[[], object]]
DOCUMENTS = 50  # of a query, where it is not these that grow
MEASURES = ("nDCG@10", "nDCG", "DCG@10", "AP", "ERR@10", "ERR", "RR", "P@10", "R@10", "RBP", "bpref", "Success@10",
            "GM(AP)", "PairAccuracy")  # fmt: skip
OBJECTIVES: dict[str, Callable[[], rr.Objective]] = {
    "Gain": rr.Gain, "URisk": rr.URisk, "SARO": rr.SARO, "FARO": rr.FARO, "CVaR": rr.CVaR, "UCRO": rr.UCRO,
    "Churn": rr.Churn, "GeoRisk": rr.GeoRisk, "RankNet": rr.RankNet,
}  # fmt: skip


class Job(NamedTuple):
    """Something that grows: how many of what it has at its smallest, and how to begin."""

    smallest: int
    unit: str
    begin: Callable[[Path, int], Works]


JOBS: dict[str, Job] = {}


def job(name: str, smallest: int, unit: str) -> Callable[[Callable[[Path, int], Works]], Callable[[Path, int], Works]]:
    def kept(begin: Callable[[Path, int], Works]) -> Callable[[Path, int], Works]:
        JOBS[name] = Job(smallest, unit, begin)
        return begin

    return kept


def queries(n: int, documents: int = DOCUMENTS, n_features: int = 20) -> RankingData:
    return rr.web_search_data(n, documents_per_query=documents, n_features=n_features, random_state=1)


def letor_file(folder: Path, n_documents: int) -> Path:
    """The same 2,000 lines over and over, under new queries."""
    lines = letor_text(queries(2000 // DOCUMENTS, n_features=46), digits=6).encode()
    with open(folder / f"{n_documents}.txt", "wb") as file:
        for number in range(n_documents // 2000):
            file.write(lines.replace(b" qid:", b" qid:%d_" % number))
    return Path(file.name)


@job("LETOR text, plain parser", 2_000, "documents")
def plain_letor(folder: Path, n: int) -> Works:
    path = letor_file(folder, n)
    reader.SMALL = 1 << 30
    return {"": lambda: rr.read_letor(path)}


@job("LETOR text, compiled parser", 10_000, "documents")
def compiled_letor(folder: Path, n: int) -> Works:
    path = letor_file(folder, n)
    reader.SMALL = 1
    return {"": lambda: rr.read_letor(path)}


def feature_frame(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    columns = {"qid": np.arange(n) // DOCUMENTS, "label": rng.integers(0, 5, n)}
    return pl.DataFrame({**columns, **{f"f{i}": rng.random(n, dtype=np.float32) for i in range(50)}})


@job("Parquet of features", 15_000, "rows")
def parquet(folder: Path, n: int) -> Works:
    path = folder / f"{n}.parquet"
    feature_frame(n).write_parquet(path)
    return {"": lambda: rr.read_table(path)}


@job("CSV of features", 4_000, "rows")
def csv(folder: Path, n: int) -> Works:
    path = folder / f"{n}.csv"
    feature_frame(n).write_csv(path)
    return {"": lambda: rr.read_table(path)}


def trec_file(folder: Path, n: int, columns: dict[str, Any]) -> Path:
    """Topics of a thousand lines each."""
    path = folder / f"{n}.txt"
    number = np.arange(n)
    first = {"topic": number // 1000, "iteration": ["Q0"] * n, "document": [f"doc-{i:07d}" for i in range(n)]}
    pl.DataFrame({**first, **columns}).write_csv(path, separator=" ", include_header=False)
    return path


@job("TREC run", 40_000, "lines")
def run(folder: Path, n: int) -> Works:
    rank = np.arange(n) % 1000
    path = trec_file(folder, n, {"rank": rank + 1, "score": 1000.5 - rank, "tag": ["own"] * n})
    return {"": lambda: rr.read_run(path)}


@job("qrels", 40_000, "lines")
def qrels(folder: Path, n: int) -> Works:
    path = trec_file(folder, n, {"grade": np.arange(n) % 4})
    return {"": lambda: rr.read_qrels(path)}


@job("score matrix, CSV", 2_000, "topics × 20 systems")
def score_matrix(folder: Path, n: int) -> Works:
    path = folder / f"{n}.csv"
    rng = np.random.default_rng(0)
    pl.DataFrame({"topic": [f"t{i}" for i in range(n)], **{f"s{i}": rng.random(n) for i in range(20)}}).write_csv(path)
    return {"": lambda: rr.read_scores(path)}


def log_reading(ending: str, layout: str | None) -> Callable[[Path, int], Works]:
    def begin(folder: Path, n: int) -> Works:
        path = folder / f"{n}{ending}"
        write_log(World(random_state=1).log(n), path, layout=layout)
        return {"": lambda: sum(len(batch) for batch in read_log(path, layout=layout))}

    return begin


for title, file_ending, its_layout in (
    ("2011", ".txt", "2011"), ("2013", ".txt", "2013"), ("CSV", ".csv", None), ("Parquet", ".parquet", None)
):  # fmt: skip
    job(f"click log, {title}", 5_000, "pages")(log_reading(file_ending, its_layout))


@job("clicks prepare", 3_000, "pages")
def prepared_clicks(folder: Path, n: int) -> Works:
    path = folder / f"{n}.txt"
    write_log(World(random_state=1).log(n), path, layout="2013")
    return {"": lambda: prepare(path, folder / f"prepared{n}", verbose=False)}


def all_measures(data: RankingData) -> Works:
    scores = data.feature(1)
    return {measure: lambda measure=measure: rr.evaluate(data, {"one": scores}, measure) for measure in MEASURES}  # type: ignore[misc]


@job("measures, more queries", 300, f"queries of {DOCUMENTS} documents")
def measures_of_queries(_: Path, n: int) -> Works:
    return all_measures(queries(n))


@job("measures, a longer query", 3_000, "documents of one query")
def measures_of_a_query(_: Path, n: int) -> Works:
    return all_measures(queries(1, n))


@job("measures, a longer query of ties", 1_000, "documents of one query, ten scores")
def measures_of_ties(_: Path, n: int) -> Works:
    data = queries(1, n)
    scores = np.arange(n) % 10
    return {measure: lambda measure=measure: rr.evaluate(data, {"one": scores}, measure) for measure in MEASURES}  # type: ignore[misc]


def all_gradients(data: RankingData) -> Works:
    scores = np.random.default_rng(0).normal(size=data.n_documents)

    def of(objective: rr.Objective, name: str) -> Callable[[], object]:
        baselines: Any = {"Gain": None, "RankNet": None, "GeoRisk": [rr.Feature(i) for i in (1, 9, 14)]}
        baseline = baselines.get(name, rr.Feature(1))
        held = () if baseline is None else baseline_scores(baseline, data)
        bound = BoundObjective(objective, data, held, n_threads=1)
        return lambda: bound.gradients(scores)

    return {name: of(kind(), name) for name, kind in OBJECTIVES.items()}


@job("gradients, more queries", 400, f"queries of {DOCUMENTS} documents")
def gradients_of_queries(_: Path, n: int) -> Works:
    return all_gradients(queries(n))


@job("gradients, a longer query", 10_000, "documents of one query")
def gradients_of_a_query(_: Path, n: int) -> Works:
    return all_gradients(queries(1, n))


def fits(data: RankingData, rankers: dict[str, Any], baseline: Any = None) -> Works:
    return {name: lambda ranker=ranker: ranker.fit(data, baseline=baseline) for name, ranker in rankers.items()}  # type: ignore[misc]


@job("trees", 250, f"queries of {DOCUMENTS} documents; five trees of 31 leaves")
def trees(_: Path, n: int) -> Works:
    made = {
        engine: rr.LambdaMART(rr.URisk(alpha=5), n_trees=5, n_leaves=31, engine=engine, n_threads=1)
        for engine in ("native", "lightgbm", "xgboost")
    }
    return fits(queries(n), made, rr.Feature(1))


@job("nets and linear rankers", 40, f"queries of {DOCUMENTS} documents; two epochs, or two or twenty rounds")
def nets(_: Path, n: int) -> Works:
    made = {
        "LambdaNet": rr.LambdaNet(n_epochs=2, n_threads=1),
        "LinearRanker": rr.LinearRanker(n_rounds=2, n_starts=1, n_threads=1),
        "AdaRank": rr.AdaRank(n_rounds=20, n_threads=1),
        "AFS": rr.AFS(n_rounds=2, n_threads=1),
    }
    return fits(queries(n), made)


@job("rank", 200, f"queries of {DOCUMENTS} documents")
def rank(_: Path, n: int) -> Works:
    data = queries(n)
    ranker = rr.LambdaMART(n_trees=20, engine="native", n_threads=1).fit(queries(40))
    return {"": lambda: sum(map(len, run_lines(data, ranker.predict(data), tag="own")))}


@job("sweep", 60, f"queries of {DOCUMENTS} documents; three models of five trees")
def sweep(_: Path, n: int) -> Works:
    data = queries(2 * n)
    ranker = rr.LambdaMART(rr.URisk(), n_trees=5, engine="native", n_threads=1)
    train, test = data.take(slice(0, n)), data.take(slice(n, None))
    return {"": lambda: swept(ranker, train, test, (0, 1, 5))}


def swept(ranker: rr.LambdaMART, train: RankingData, test: RankingData, alphas: Any) -> rr.Sweep:
    return rr.sweep(train, ranker, baseline=rr.Feature(1), values=alphas, test=test, n_jobs=1, verbose=False)


def scores_of(n_systems: int, n_topics: int) -> rr.Effectiveness:
    """That share the difficulty of topics, with exact zeros as real measures have."""
    rng = np.random.default_rng(0)
    matrix = rng.normal(scale=0.15, size=(n_systems, n_topics)) + rng.beta(2, 3, size=n_topics)
    systems, topics = (tuple(f"{word}{i}" for i in range(n)) for word, n in (("s", n_systems), ("t", n_topics)))
    return rr.Effectiveness("nDCG@10", systems, topics, np.clip(matrix, 0, 1))


@job("assess, more topics", 4_000, "topics × 10 systems")
def assess_topics(_: Path, n: int) -> Works:
    scores = scores_of(10, n)
    return {"": lambda: rr.assess(scores, baseline="s0")}


@job("assess, more systems", 10, "systems × 2,000 topics")
def assess_systems(_: Path, n: int) -> Works:
    scores = scores_of(n, 2000)
    return {"": lambda: rr.assess(scores, baseline="s0")}


@job("page, more topics", 1_000, "topics × 5 systems")
def page_of_topics(_: Path, n: int) -> Works:
    assessment = rr.assess(scores_of(5, n), baseline="s0")
    return {"": assessment.to_html}


@job("page, more systems", 5, "systems × 200 topics")
def page_of_systems(_: Path, n: int) -> Works:
    assessment = rr.assess(scores_of(n, 200), baseline="s0")
    return {"": assessment.to_html}


@job("page of a sweep, more queries", 100, "queries, three models")
def sweep_page_of_queries(_: Path, n: int) -> Works:
    data = queries(n, 10)
    ranker = rr.LambdaMART(rr.URisk(), n_trees=2, n_leaves=7, engine="native", n_threads=1)
    return {"": swept(ranker, data.take(slice(0, 50)), data, (0, 1, 5)).to_html}


@job("page of a sweep, more settings", 3, "models, 100 queries")
def sweep_page_of_settings(_: Path, n: int) -> Works:
    data = queries(100, 10)
    ranker = rr.LambdaMART(rr.URisk(), n_trees=2, n_leaves=7, engine="native", n_threads=1)
    return {"": swept(ranker, data.take(slice(0, 50)), data, np.linspace(0, 20, n).tolist()).to_html}
