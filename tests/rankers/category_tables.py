"""Tables whose grades depend on a brand, which is a text."""

import numpy as np
import polars as pl

import riskrank as rr

CATEGORIES = ["brand", "colour"]


def category_table(n_queries: int = 80, *, n_brands: int = 40, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    n = 15 * n_queries
    brand, bm25 = rng.integers(0, n_brands, n), rng.normal(size=n)
    worth = np.random.default_rng(1).normal(size=n_brands)
    grade = np.clip(np.round(1 + bm25 + worth[brand] + 0.3 * rng.normal(size=n)), 0, 4) + 0.0
    names = [f"brand {number:02d}" if number % 9 else None for number in brand.tolist()]
    colour = rng.choice(["red", "green", "blue"], n)
    qid = np.arange(n) // 15
    return pl.DataFrame({"qid": qid, "label": grade, "bm25": bm25, "brand": names, "colour": colour})


def category_data(n_queries: int = 80, *, n_brands: int = 40, seed: int = 0) -> rr.RankingData:
    return rr.read_table(category_table(n_queries, n_brands=n_brands, seed=seed), categories=CATEGORIES)
