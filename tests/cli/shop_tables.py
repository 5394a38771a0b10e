"""A shop's table in its own words, and what commands are told of it."""

from __future__ import annotations

import numpy as np
import polars as pl

from riskrank.data.synthetic.synthetic_features import web_search_data

SMALL = ("--trees", 4, "--leaves", 4, "--threads", 1)
OWN = ("--query", "phrase", "--label", "stars", "--document", "page")
TAKEN = "query = phrase, label = stars, document = page, 20 features"
RANK = ("rank", "model", "shop.csv", "--query", "phrase", "--document", "page")


def shop_frame():
    """Synthetic web search in somebody else's words."""
    data = web_search_data(40, documents_per_query=10, n_features=20)
    queries = data.query_numbers
    names = ["bm25", *(f"signal {i}" for i in range(2, 21))]
    return pl.DataFrame(
        {
            "phrase": [f"words {data.query_ids[query]}" for query in queries],
            "page": [f"/{row}" for row in range(len(data))],
            "stars": data.labels.astype(np.int64),
            "title": [f"Title, no. {row}" for row in range(len(data))],
            "bucket": np.array(["Training", "dev", "test"])[np.searchsorted([25, 32], queries, side="right")],
            "day": queries // 4,
        }
    ).hstack(pl.DataFrame(data.features, schema=names, orient="row"))


def write_shop(frame, folder):
    """In files of several formats, with and without columns that are no features."""
    frame.write_parquet(folder / "shop.parquet")
    frame.write_csv(folder / "shop.csv")
    frame.drop("title", "bucket", "day").write_parquet(folder / "plain.parquet")
    frame.drop("title", "bucket", "day").rename({"phrase": "qid", "stars": "Grade", "page": "URL"}).write_ipc(
        folder / "known.arrow"
    )
