"""Synthetic data as files, by the name of their kind."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from riskrank.data.letor.writer import letor_text
from riskrank.data.synthetic.synthetic_features import cubic_data, web_search_data
from riskrank.data.synthetic.synthetic_runs import synthetic_runs
from riskrank.errors import FileError, ParameterError
from riskrank.files.outputs import check_new
from riskrank.files.writing import make_folders, new_file, written_together
from riskrank.parameters import one_of, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.data.synthetic.synthetic_runs import SyntheticRuns
    from riskrank.typing import PathLike

FEATURES: dict[str, Callable[..., RankingData]] = {"cubic": cubic_data, "web-search": web_search_data}
RUNS = "runs"
KINDS = (*FEATURES, RUNS)
PARTS = ("train.txt", "valid.txt", "test.txt")
RUN_DEPTH = 100  # documents
QUERIES_AT_ONCE = 500  # that are held as text


def write_synthetic(
    kind: str,
    output: PathLike,
    *,
    n_queries: Sequence[int] = (1000,),
    documents_per_query: int | None = None,
    n_features: int | None = None,
    random_state: int = 0,
    overwrite: bool = False,
) -> list[Path]:
    """Write synthetic data of a kind, and return the files.

    ``"cubic"`` and ``"web-search"`` are LETOR files (see `cubic_data` and `web_search_data`): one, or with three
    numbers of queries a folder with train.txt, valid.txt and test.txt, which are parts of one draw. ``"runs"`` is a
    folder of judgments and runs (see `synthetic_runs`) with so many topics and documents per run.
    """
    one_of("kind", kind, KINDS)
    whole("random_state", random_state, 0)
    counts = list(n_queries)
    for count in counts:
        whole("n_queries", count, 1)
    asked = {"documents_per_query": documents_per_query, "n_features": n_features}
    given = {name: value for name, value in asked.items() if value is not None}
    for name, value in given.items():
        whole(name, value, 1)
    if kind == RUNS:
        if len(counts) != 1 or n_features is not None:
            raise ParameterError("runs have one number of topics, and no features.")
        depth = RUN_DEPTH if documents_per_query is None else documents_per_query
        content = synthetic_runs(n_topics=counts[0], depth=depth, random_state=random_state)
        return _write_runs(content, Path(output), overwrite)
    if len(counts) not in (1, len(PARTS)):
        raise ParameterError("n_queries must be one number, or three: for training, validation and test.", "n_queries")
    files = [Path(output)] if len(counts) == 1 else [Path(output) / name for name in PARTS]
    _check_files(Path(output), files, overwrite)
    data = FEATURES[kind](sum(counts), random_state=random_state, **given)
    if len(counts) > 1:
        make_folders(output)
    with ExitStack() as open_files:
        first = 0
        for file, n in zip(files, counts, strict=True):
            lines = open_files.enter_context(new_file(file))
            for begin in range(first, first + n, QUERIES_AT_ONCE):
                part = data.take(slice(begin, min(begin + QUERIES_AT_ONCE, first + n)))
                lines.write(letor_text(part).encode())
            first += n
    return files


def _write_runs(content: SyntheticRuns, folder: Path, overwrite: bool) -> list[Path]:
    lines = {"qrels.txt": content.qrels, **{f"{name}.run": run for name, run in content.runs.items()}}
    contents = {folder / name: "".join(f"{line}\n" for line in each) for name, each in lines.items()}
    _check_files(folder, list(contents), overwrite)
    make_folders(folder)
    with written_together(contents):
        return list(contents)


def _check_files(output: Path, files: list[Path], overwrite: bool) -> None:
    if files != [output] and output.exists() and not output.is_dir():
        raise FileError(output, "is a file; several files need a folder. Choose another place.")
    if not overwrite:
        check_new(files)
