from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from riskrank.cli.main import main

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", settings.get_profile("project"), max_examples=10)
settings.load_profile("project")

PROJECT = Path(__file__).parent.parent

# What `make test-fast` leaves out, by file or by the name of a test: it must stay under a minute on two cores. To see
# what has become slow: make test-fast ARGUMENTS=--durations=20.
SLOW = (
    # Pages in a browser, examples of the documents, type checkers.
    r"_in_browser",
    r"test_examples_run",
    r"example_in_the_help",
    r"tests/test_readme",
    r"tests/typing/",
    # PyTorch takes seconds to load.
    r"/nets/",
    r"(?i)lambdanet",
    r"_nets_",
    # Processes of their own, killed, interrupted or started afresh.
    r"tests/hostile/",
    r"tests/cli/test_(ci_files|output|systems)",
    r"test_pytest_shows",
    r"test_only_a_page_loads",
    r"interrupted",
    r"killed",
    r"tests/files/test_(crashes|kills)",
    r"another_process",
    r"tests/cluster/",
    r"needs_nothing_but_its_folder",
    r"damaged_engine_file",
    r"keeps_its_data",
    r"without_(pytorch|scikit_learn|a_place)",
    # Loops that are compiled for each measure and objective; those of nDCG with URisk stay.
    r"naive_pair_loop(?!\[nDCG@5 P@5-URisk)",
    r"tests/(objectives|kernels)/.*of_ones_own",
    r"tests/kernels/test_(click_counts|compiled|order|pair_kernels_at_extremes)",
    r"what_swapping_gives(?!\[nDCG@5)",
    r"tests/rankers/.*(cannot_teach|failed_training|objective_of_ones_own|handed_back)",
    r"tests/rankers/trees/test_(lambdamart|engine)",
    # One kind of trees stands for all rankers.
    r"_contract.py::Test(?!LambdaMARTOnLightGBM)",
    # Many trainings, many simulations, many documents, every format.
    r"tests/tradeoff/(test_(run_)?sweep|clicks/)",
    r"tests/papers/dincer/test_learn",
    r"tests/cli/(commands/(clicks/|test_sweep)|test_chosen_point)",
    r"tests/report/(clicks/|views/test_click|page/|gate_formats/|findings/test_sweep|text/test_(sweep|assessment|system)_)",
    r"tests/clicks/test_(click_memory|log_splits|page_writer|preparation|prepared|simulator)\.",
    r"tests/clicks/logs/test_(table|yandex)",
    r"tests/cli/commands/test_plot",
    r"tests/rankers/linear/",
    r"tests/report/charts/test_catalogue",
    r"in_every_format|json_csv_latex_and_html",
    r"linear_trees_are_refused",
    r"tests/clicks/logs/.*(any_(log|csv|parquet)|size_of_blocks|strict_reading|go_through)",
    r"session_of_any_length",
    r"_fuzz",
    r"tests/tradeoff/risk_control/",
    r"test_against_trec_eval",
    r"cover_the_truth",
    r"six_topics_agree",
    r"urisk_excludes_0",
    r"tests/risk/inference/test_(power|max_t)",
    r"tests/(compatibility|kernels/test_letor)",
    r"(net|nets)_of_ones_own",
    r"tests/measures/test_tied_ranking.*(closed_forms|shuffles|order_of_documents)",
    r"tests/risk/test_validity",
    r"very_many",
    r"embedded_files_are_what_the_generator_makes",
)


# Files whose few tests take long: they begin first, so that no worker has one of them left when the other is done.
LONG = re.compile(
    r"tests/(typing/|test_docs|test_readme|compatibility/|risk/test_validity|cli/test_interrupted|tradeoff/)"
    r"|_in_browser|/nets/|_contract"
)


def is_slow(name: str) -> bool:
    return any(re.search(pattern, name) for pattern in SLOW)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONG.search(item.nodeid) is None)
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of which nothing would run are not even loaded: some load libraries that take seconds."""
    path = collection_path.relative_to(PROJECT).as_posix() if collection_path.is_relative_to(PROJECT) else ""
    return True if config.option.markexpr == "not slow" and is_slow(path) else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that is not part of the project."""
    folder = Path(os.environ.get("RISKRANK_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("needs real data: set RISKRANK_DATA to a folder that holds it")
    return folder


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


@pytest.fixture
def riskrank(tmp_path: Path, monkeypatch):
    """The real command, run in a temporary folder, but within this process: most of a short one's time is its start.

    What it writes is caught beneath Python, so that an engine's own messages are seen. Commands as processes of their
    own are run by the tests of the docs, of streams and of interruptions.
    """

    def run(*arguments: object, cwd: Path | None = None) -> Outcome:
        for name, value in {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["riskrank", *map(str, arguments)])
        with contextlib.chdir(cwd or tmp_path), written() as streams:
            try:
                main()
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
        return Outcome(status, *streams())

    return run


@contextlib.contextmanager
def written():
    """All that goes to the two standard streams, from Python or beneath it."""
    texts: list[str] = []
    with contextlib.ExitStack() as stack:
        caught = {}
        for number, name in ((1, "stdout"), (2, "stderr")):
            file = caught[name] = stack.enter_context(tempfile.TemporaryFile())
            stream = getattr(sys, name)
            stream.flush()
            kept = os.dup(number)
            os.dup2(file.fileno(), number)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, number)
            stack.callback(setattr, sys, name, stream)
        try:
            yield lambda: texts
        finally:
            for name, file in caught.items():
                getattr(sys, name).close()
                file.seek(0)
                texts.append(file.read().decode())


@pytest.fixture(scope="session")
def saved_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from riskrank.data.example import save_example

    folder = tmp_path_factory.mktemp("saved")
    save_example(folder)
    return folder


@pytest.fixture
def example(saved_example: Path, tmp_path: Path) -> Path:
    """The embedded example's files, unpacked."""
    return Path(shutil.copytree(saved_example, tmp_path / "example"))
