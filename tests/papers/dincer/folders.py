"""Small folders in the layouts of the papers' data."""

from __future__ import annotations

import numpy as np

from riskrank.data.synthetic.synthetic_features import web_search_data


def letor_lines(data):
    """Feature data as lines of a LETOR file."""
    query = np.repeat(data.query_ids, np.diff(data.query_offsets))
    return [
        f"{int(label)} qid:{name} " + " ".join(f"{i + 1}:{x:.4f}" for i, x in enumerate(row))
        for label, name, row in zip(data.labels, query, data.features, strict=True)
    ]


def write_folds(folder, *, n_queries=30, n_features=24, folds=5):
    """Folds of synthetic queries, as MSLR-WEB10K has them: three parts train, one validates, one tests."""
    data = web_search_data(n_queries, documents_per_query=8, n_features=n_features)
    parts = np.array_split(np.arange(n_queries), folds)
    for i in range(folds):
        place = folder / f"Fold{i + 1}"
        place.mkdir(parents=True)
        turn = [parts[(i + k) % folds] for k in range(folds)]
        for name, queries in (("train", np.concatenate(turn[:-2])), ("vali", turn[-2]), ("test", turn[-1])):
            (place / f"{name}.txt").write_text("\n".join(letor_lines(data.take(np.sort(queries)))) + "\n")
    return folder


def write_track(folder, *, n_topics=50, n_runs=48, topics=range(151, 201), most=0.2):
    """A score matrix, judgments and a run, as those of TREC 2012 are published."""
    folder.mkdir(parents=True, exist_ok=True)
    scores = most * np.random.default_rng(0).beta(1, 3, size=(n_topics, n_runs))  # grades of 2 give ERR up to 0.21
    lines = [",".join(f"run{i + 1}" for i in range(n_runs)), *(",".join(f"{x:.5f}" for x in row) for row in scores)]
    (folder / "web2012_err20.csv").write_text("\n".join(lines) + "\n")
    judged = [f"{topic} 0 d{i} {grade}" for topic in topics for i, grade in enumerate((1, 0, 2))]
    (folder / "qrels.adhoc.txt").write_text("\n".join(judged) + "\n")
    ranked = [f"{topic} Q0 d{(topic + i) % 3} {i + 1} {3 - i} base" for topic in topics for i in range(2)]
    (folder / "indri_rm_cata_filtered.run").write_text("\n".join(ranked) + "\n")
    return folder
