"""The embedded example: judgments and four runs, and data to train on, as LETOR text and as a table; all synthetic."""

from __future__ import annotations

import gzip
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.data.synthetic.synthetic_runs import EXAMPLE_SYSTEMS, synthetic_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.data.ranking_data import RankingData

FOLDER = Path(__file__).parent
FIRST_DAY, SEARCHES_A_DAY = date(2026, 1, 1), 10


def example_files() -> tuple[Path, dict[str, Path]]:
    """The paths of the judgments and of the runs."""
    return FOLDER / "qrels.txt.gz", {s.name: FOLDER / f"{s.name}.run.gz" for s in EXAMPLE_SYSTEMS}


def save_example(folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the example's files, unpacked, to a folder, and return their paths; other files only if `overwrite`."""
    from riskrank.data.letor.writer import letor_text
    from riskrank.files.outputs import check_new, has_content
    from riskrank.files.writing import as_bytes, make_folders, written_together

    qrels, runs = example_files()
    contents: dict[Path, str | bytes] = {
        folder / source.name.removesuffix(".gz"): gzip.decompress(source.read_bytes())
        for source in (qrels, *runs.values())
    }
    parts = example_features(n_queries=2000, documents_per_query=20, n_features=20)
    for name, data in parts.items():
        contents[folder / f"{name}.txt"] = letor_text(data, digits=4)
    contents[folder / "shop.csv"] = "".join(shop_lines(*parts.values()))
    if not overwrite:
        check_new(path for path, content in contents.items() if not has_content(path, as_bytes(content)))
    make_folders(folder)
    with written_together(contents):
        return list(contents)


def example_features(**size: int) -> dict[str, RankingData]:
    """Synthetic web search as train, valid and test queries; feature 1 is a text score, the baseline."""
    data = web_search_data(random_state=2016, **size)
    half, quarter = data.n_queries // 2, data.n_queries // 4
    return {
        "train": data.take(slice(0, half)),
        "valid": data.take(slice(half, half + quarter)),
        "test": data.take(slice(half + quarter, None)),
    }


def shop_lines(*parts: RankingData) -> Iterator[str]:
    """The same data as CSV, in the words of a shop; its searches were made on the days from 2026 on, ten a day."""
    names = ["text_match", *(f"signal_{number}" for number in range(2, parts[0].n_features + 1))]
    yield ",".join(["search_phrase", "product_page", "stars", "title", "asked_on", *names]) + "\n"
    query = 0
    for data in parts:
        for low, high in pairwise(data.query_offsets.tolist()):
            day = FIRST_DAY + timedelta(query // SEARCHES_A_DAY)
            for place, row in enumerate(range(low, high), start=1):
                said = f"phrase {query},/{query}/{place},{data.labels[row]:g},Article {place},{day}"
                yield f"{said},{','.join(f'{value:.4g}' for value in data.features[row].tolist())}\n"
            query += 1


def make_example(folder: Path = FOLDER) -> None:
    """Make the embedded files again: ``python -c "from riskrank.data.example import make_example; make_example()"``."""
    from riskrank.files.writing import write_atomically

    content = synthetic_runs(n_topics=50, depth=100, random_state=2016)
    for name, lines in {"qrels.txt": content.qrels, **{f"{n}.run": r for n, r in content.runs.items()}}.items():
        text = "".join(f"{line}\n" for line in lines).encode()
        write_atomically(folder / f"{name}.gz", gzip.compress(text, 9, mtime=0))
