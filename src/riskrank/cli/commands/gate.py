"""`riskrank gate`: may the candidate replace the baseline? For somebody's CI."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import JudgmentsArgument, MatrixRowsOption, ZeroBasedLetorOption
from riskrank.cli.output import check_outputs, emit, is_coloured
from riskrank.cli.systems import local_files, named_systems
from riskrank.errors import ParameterError
from riskrank.typing import Missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    Given = str | dict[str, str]  # a system's name in a matrix, or a file by its name

CandidateArgument = Annotated[
    str, typer.Argument(metavar="CANDIDATE", help="The run to judge (for a score matrix: a system's name).")
]
BaselineOption = Annotated[list[str], typer.Option("--baseline", "-b", help="The run it would replace.")]
MeasureOption = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="The measure that counts (default: nDCG@10).")
]
AlphaOption = Annotated[
    float | None, typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha in URisk and TRisk (default: 0).")
]
MaxRiskOption = Annotated[float | None, typer.Option(help="Limit on the mean loss per topic.")]
MinURiskOption = Annotated[float | None, typer.Option(help="Least URisk at alpha.")]
MinTRiskOption = Annotated[float | None, typer.Option(help="Least TRisk at alpha.")]
MaxHurtOption = Annotated[float | None, typer.Option(help="Limit on the share of topics hurt (0 to 1).")]
ToleranceOption = Annotated[float, typer.Option(help="A topic counts as hurt when it loses more than this.")]
MaxLossOption = Annotated[float | None, typer.Option(help="Limit on the loss of any single topic.")]
LevelOption = Annotated[float, typer.Option(help="Significance level of the default check.")]
MissingOption = Annotated[
    Missing | None,
    typer.Option(
        help="Topics a run lacks: score zero, drop, or stop. Default: zero, but stop if the baseline lacks any."
    ),
]
ShowOption = Annotated[str | None, typer.Option(help="How many broken topics to print: a number, or all (default: 5).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
GithubOption = Annotated[bool, typer.Option("--github", help="Print GitHub annotations too.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Write a self-contained page too.")]
JunitOption = Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")]


def command(
    judgments: JudgmentsArgument,
    candidate: CandidateArgument,
    baseline: BaselineOption,
    measure: MeasureOption = None,
    alpha: AlphaOption = None,
    max_risk: MaxRiskOption = None,
    min_urisk: MinURiskOption = None,
    min_trisk: MinTRiskOption = None,
    max_hurt: MaxHurtOption = None,
    tolerance: ToleranceOption = 0.0,
    max_loss: MaxLossOption = None,
    level: LevelOption = 0.05,
    missing: MissingOption = None,
    rows: MatrixRowsOption = "auto",
    zero_based: ZeroBasedLetorOption = False,
    show: ShowOption = None,
    as_json: JsonOption = False,
    github: GithubOption = False,
    junit: JunitOption = None,
    html: HtmlOption = None,
) -> None:
    """Pass (exit 0) or fail (exit 1) a candidate against a risk budget; bad input exits 2.

    riskrank gate qrels.txt hybrid.run -b bm25.run --max-risk 0.02 --max-loss 0.3

    Without a limit, the candidate fails when its TRisk at alpha shows a significant loss.
    """
    from riskrank.assessment.gate import gate
    from riskrank.report.text.gate_text import SHOWN, gate_json, gate_text

    limit = _limit(show)
    if len(baseline) > 1 or len(measure or []) > 1:
        raise ParameterError("a gate has one baseline and one measure. Call it once for each.")
    named = _named(judgments, candidate, baseline[0])
    check_outputs([junit, html], [judgments, *named.values()])
    with _inputs(judgments, candidate, baseline[0], named) as inputs:
        result = gate(
            *inputs, measure[0] if measure else None, alpha=alpha, max_risk=max_risk, min_urisk=min_urisk,
            min_trisk=min_trisk, max_hurt=max_hurt, max_loss=max_loss, tolerance=tolerance, level=level,
            missing=missing, rows=rows, zero_based=zero_based,
        )  # fmt: skip
    files = {path: str(form()) for path, form in ((junit, result.to_junit), (html, result.to_html)) if path is not None}
    if as_json:
        emit(gate_json(result), is_data=True, beside=files)
    else:
        text = gate_text(result, limit=SHOWN if limit is None else limit, styled=is_coloured(), hint=" (--show all)")
        more = "" if html is not None else f"\n--html FILE  {_page_of(result.scores.unit, has_runs=bool(named))}"
        emit(f"{text}{more}", beside=files)
    if github:
        annotations = result.github_annotations() if limit is None else result.github_annotations(limit=limit)
        if as_json:  # GitHub reads both streams; JSON must stay alone on its own
            print(annotations, file=sys.stderr)
        else:
            emit(annotations)
    if not result.passes:
        raise typer.Exit(1)


def _limit(show: str | None) -> int | None:
    """How many topics to print, if that was said."""
    if show is None or (show.isdigit() and len(show) < 10):
        return None if show is None else int(show)
    if show != "all":
        raise ParameterError(f"--show takes a number or all, got {show!r}.")
    return sys.maxsize


def _page_of(unit: str, *, has_runs: bool) -> str:
    """What a page would have."""
    return f"both rankings of every {unit}, side by side" if has_runs else f"every check and every {unit}"


def _named(judgments: str, candidate: str, baseline: str) -> dict[str, str]:
    """The files of baseline and candidate, by name; none where a matrix has their scores."""
    from riskrank.data.names import is_score_matrix

    return {} if is_score_matrix(judgments) else named_systems([baseline, candidate])


@contextmanager
def _inputs(judgments: str, candidate: str, baseline: str, named: dict[str, str]) -> Iterator[tuple[str, Given, Given]]:
    """Judgments, candidate and baseline as `gate` takes them; in a matrix, systems are called what they are called."""
    if not named:
        yield judgments, candidate, baseline
        return
    with local_files(judgments, named) as (path, paths):
        base, new = ({name: system} for name, system in paths.items())
        yield path, new, base
