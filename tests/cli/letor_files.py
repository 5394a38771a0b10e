"""Small LETOR files of synthetic web search, and models of them."""

from __future__ import annotations

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data


def letor(data, *, ids=True, n_features=20):
    lines = []
    for q, query in enumerate(data.query_ids):
        for row in range(data.query_offsets[q], data.query_offsets[q + 1]):
            values = data.features[row, :n_features].tolist()
            features = " ".join(f"{i}:{value!r}" for i, value in enumerate(values, start=1))
            lines.append(f"{data.labels[row]:g} qid:{query} {features}" + (f" # doc{query}-{row}" if ids else ""))
    return "\n".join(lines) + "\n"


def small_letor_texts():
    data = web_search_data(40, documents_per_query=10, n_features=20)
    first, second = data.take(slice(0, 25)), data.take(slice(25, 40))
    return {
        "train.txt": letor(first),
        "valid.txt": letor(second),
        "bare.txt": letor(second, ids=False),
        "narrow.txt": letor(second, n_features=15),
        "wide.txt": letor(second).replace(" # ", " 21:1.0 # "),
        "flat.txt": letor(first, n_features=0).replace(" # ", "1:1.0 # "),
    }


def save_model(folder, files, *, parameters=None, **arguments):
    train = rr.read_letor(files / "train.txt")
    ranker = rr.LambdaMART(n_trees=4, n_leaves=4, n_threads=1, **parameters or {})
    ranker.fit(train, **arguments).save(folder)
    return ranker


def save_scores(path, scores):
    path.write_text("".join(f"{score!r}\n" for score in scores.tolist()))
