"""One evaluation in a process of its own: python evaluate_jobs.py runs QRELS RUN… | table PARQUET; figures as JSON."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import contenders
from fresh_process import Figures, peak_bytes, spent

if TYPE_CHECKING:
    from collections.abc import Callable


def measure_runs(qrels: str, *runs: str) -> None:
    """Measures of runs, without any risk."""
    import riskrank as rr

    rr.evaluate(qrels, list(runs), contenders.MEASURES)


def judge_table(path: str) -> None:
    """Two columns of scores on a table's own labels, with all numbers of risk."""
    from typer.testing import CliRunner

    from riskrank.cli.main import app

    done = CliRunner().invoke(app, ["evaluate", path, "column:score", "column:other", "--label", "label"])
    if done.exit_code:
        sys.exit(done.output)


JOBS: dict[str, Callable[..., None]] = {"runs": measure_runs, "table": judge_table}


def main() -> None:
    start = time.perf_counter()
    JOBS[sys.argv[1]](*sys.argv[2:])
    used = spent()
    figures: Figures = {
        "cpu": used["user"] + used["system"],
        "wall": time.perf_counter() - start,
        "peak": peak_bytes(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
