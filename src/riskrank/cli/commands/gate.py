"""`riskrank gate`: may the candidate replace the baseline? For somebody's CI."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.options import (
    JUDGMENTS_HELP,
    WITHOUT_RELEVANT_HELP,
    MatrixRowsOption,
    OverwriteOption,
    WeightsOption,
    ZeroBasedLetorOption,
)
from riskrank.cli.output import emit, is_coloured
from riskrank.cli.systems import local_files, named_systems
from riskrank.errors import ParameterError, RiskrankError, quoted
from riskrank.files.outputs import check_new, check_outputs
from riskrank.typing import Missing, WithoutRelevant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.assessment.gating.budgets.gate_budget import GateBudget
    from riskrank.assessment.gating.gate_result import GateResult

JudgmentsOrNone = Annotated[str | None, typer.Argument(metavar="QRELS", help=JUDGMENTS_HELP)]
CandidatesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="CANDIDATE…", help="Runs to judge (for a score matrix: names of systems)."),
]
BaselineOption = Annotated[
    list[str] | None,
    typer.Option("--baseline", "-b", "--against", help="The run it would replace; several: each of them."),
]
MeasureOption = Annotated[
    list[str] | None, typer.Option("--measure", "-m", help="Measures that count (default: nDCG@10).")
]
BudgetOption = Annotated[Path | None, typer.Option(metavar="TOML", help="A budget file; other options come before it.")]
AlphaOption = Annotated[
    float | None,
    typer.Option("--alpha", "-a", help="Losses weigh 1 + alpha in URisk, TRisk and the test (1)."),
]
MaxHurtOption = Annotated[float | None, typer.Option(help="Limit on the share of topics hurt (0 to 1).")]
ToleranceOption = Annotated[
    float | None, typer.Option(help="A topic is hurt when it loses more than this (default: 0).")
]
MaxSevereOption = Annotated[float | None, typer.Option(help="Limit on the share of topics with a severe loss.")]
SevereLossOption = Annotated[float | None, typer.Option(help="A loss is severe above this (default: 0.3).")]
MaxLossOption = Annotated[float | None, typer.Option(help="Limit on the loss of any single topic.")]
MaxRiskOption = Annotated[float | None, typer.Option(help="Limit on the mean loss per topic.")]
MinURiskOption = Annotated[float | None, typer.Option(help="Least URisk at alpha.")]
MinTRiskOption = Annotated[float | None, typer.Option(help="Least TRisk at alpha.")]
MinGainOption = Annotated[float | None, typer.Option(help="Least mean change.")]
MaxWorseOption = Annotated[float | None, typer.Option(help="The mean is at most this much worse, with confidence.")]
LevelOption = Annotated[
    float | None, typer.Option(help="Of tests; intervals have confidence 1 - level (default: 0.05).")
]
StrictOption = Annotated[bool | None, typer.Option("--strict", help="Checks must surely hold, by their intervals.")]
SegmentsOption = Annotated[
    str | None,
    typer.Option(
        "--segments", "--segment", metavar="FILE[:COLUMN]", help="A table of topics and segments, checked one by one."
    ),
]

MustNotBreakOption = Annotated[Path | None, typer.Option(help="A file of topics, one a line: any loss fails.")]
MissingOption = Annotated[
    Missing | None,
    typer.Option(
        help="Topics a run lacks: score zero, drop, or stop. Default: the candidate fails, a baseline is refused."
    ),
]
WithoutRelevantOrNone = Annotated[WithoutRelevant | None, typer.Option(help=WITHOUT_RELEVANT_HELP)]
ShowOption = Annotated[str | None, typer.Option(help="How many broken topics to print: a number, or all (default: 5).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
GithubOption = Annotated[
    bool, typer.Option("--github", help="Print GitHub annotations too, and fill in the job's summary.")
]
JunitOption = Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")]
SarifOption = Annotated[Path | None, typer.Option(help="Write SARIF, for code scanning.")]
GitlabOption = Annotated[Path | None, typer.Option(help="Write GitLab's code-quality JSON.")]
MarkdownOption = Annotated[Path | None, typer.Option(help="Write Markdown, for a summary or a pull request.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Write a self-contained page too.")]
HistoryOption = Annotated[Path | None, typer.Option(help="Append the verdict to this file of JSON lines.")]
LabelOption = Annotated[str | None, typer.Option(help="What the release is called in the history.")]
TrendOption = Annotated[
    Path | None,
    typer.Option(metavar="HISTORY", help="Show how the budget was used over releases, and do nothing else."),
]
InitOption = Annotated[Path | None, typer.Option(metavar="TOML", help="Write a budget file from the present state.")]
SchemaOption = Annotated[bool, typer.Option("--schema", help="Print the JSON schema of budget files.")]


def command(
    context: typer.Context,
    judgments: JudgmentsOrNone = None,
    candidate: CandidatesArgument = None,
    baseline: BaselineOption = None,
    measure: MeasureOption = None,
    budget: BudgetOption = None,
    alpha: AlphaOption = None,
    max_hurt: MaxHurtOption = None,
    tolerance: ToleranceOption = None,
    max_severe: MaxSevereOption = None,
    severe_loss: SevereLossOption = None,
    max_loss: MaxLossOption = None,
    max_risk: MaxRiskOption = None,
    min_urisk: MinURiskOption = None,
    min_trisk: MinTRiskOption = None,
    min_gain: MinGainOption = None,
    max_worse: MaxWorseOption = None,
    level: LevelOption = None,
    strict: StrictOption = None,
    segments: SegmentsOption = None,
    weights: WeightsOption = None,
    must_not_break: MustNotBreakOption = None,
    missing: MissingOption = None,
    without_relevant: WithoutRelevantOrNone = None,
    rows: MatrixRowsOption = "auto",
    zero_based: ZeroBasedLetorOption = False,
    show: ShowOption = None,
    as_json: JsonOption = False,
    github: GithubOption = False,
    junit: JunitOption = None,
    sarif: SarifOption = None,
    gitlab: GitlabOption = None,
    markdown: MarkdownOption = None,
    html: HtmlOption = None,
    history: HistoryOption = None,
    label: LabelOption = None,
    trend: TrendOption = None,
    init: InitOption = None,
    schema: SchemaOption = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Pass (exit 0) or fail (exit 1) a candidate against a risk budget; bad input exits 2.

    riskrank gate qrels.txt hybrid.run -b bm25.run --max-hurt 0.2 --max-loss 0.3

    Without a limit: few topics hurt, hardly any severely, URisk near 0 or above, no significant loss.
    """
    if schema or trend is not None:
        _tell_alone(context, trend, html, overwrite=overwrite)
        return
    _check_used(context)
    if judgments is None or not candidate or not baseline:
        raise ParameterError("a gate needs QRELS, a CANDIDATE and --baseline.")
    given = {**context.params, **_paths(context.params)}  # which the context has as texts
    with _annotated(context):
        result = _gated(given, judgments, candidate, baseline)
    _write(result, given)
    if not result.passed and init is None:
        raise typer.Exit(1)


@contextmanager
def _annotated(context: typer.Context) -> Iterator[None]:
    """Let GitHub show what is wrong with the input, too, beside the line that every command ends with."""
    try:
        yield
    except RiskrankError as error:
        if context.params["github"]:
            from riskrank.cli.command import in_words_of_options
            from riskrank.report.gate_formats.github import error_annotation

            stream = sys.stderr if context.params["as_json"] else sys.stdout
            print(error_annotation(error, in_words_of_options(error, context)), file=stream)
        raise


ALONE = ("trend", "schema", "html", "overwrite")  # a trend and a schema have nothing to gate
FOR_INIT = (  # a budget is written from the present state, by the default limits
    "judgments", "candidate", "baseline", "measure", "missing", "without_relevant", "rows", "zero_based", "init",
    "overwrite",
)  # fmt: skip


def _given(context: typer.Context) -> list[str]:
    """The parameters that were given."""
    return [name for name in context.params if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]


def _check_alone(context: typer.Context) -> None:
    given = _given(context)
    if not set(given) <= set(ALONE) or {"trend", "schema"} <= set(given) or {"schema", "html"} <= set(given):
        raise ParameterError("--trend (but for --html) and --schema stand alone: leave the rest out.")


def _check_used(context: typer.Context) -> None:
    """Refuse options without effect."""
    given = context.params
    if given["label"] is not None and given["history"] is None:
        raise ParameterError("label needs history.", "label", "history")
    if given["init"] is None:
        return
    if not given["overwrite"]:  # somebody may have edited it
        check_new([given["init"]])
    unused = [name for name in _given(context) if name not in FOR_INIT]
    if unused:
        (option,) = [each.opts[0] for each in context.command.params if each.name == unused[0]]
        raise ParameterError(f"--init takes no {option}: write the file, then edit it.")


def _files_read(given: dict[str, Any], budget: GateBudget | None) -> list[str]:
    """The files that say what to check, those that a budget names among them."""
    from riskrank.data.tables.topic_columns import path_and_column

    tables = [given["segments"], given["weights"], given["must_not_break"], given["budget"]]
    if budget is not None:
        tables += [budget.segments, budget.weights, budget.must_not_break]
    return [path_and_column(str(each))[0] for each in tables if isinstance(each, str | os.PathLike)]


def _paths(given: dict[str, Any]) -> dict[str, Path]:
    names = (*OUTPUTS, "budget", "must_not_break")
    return {name: Path(given[name]) for name in names if given[name] is not None}


def _gated(given: dict[str, Any], judgments: str, candidates: list[str], baselines: list[str]) -> GateResult:
    """The gate that the options ask for."""
    from riskrank.assessment.gating.budgets.budget_file import read_budget
    from riskrank.assessment.gating.budgets.budget_keys import LIMITS
    from riskrank.assessment.gating.gate import gate
    from riskrank.assessment.gating.gate_history import check_history
    from riskrank.data.feature_tables.separate_outputs import check_separate

    _shown(given["show"])
    budget = None if given["budget"] is None else read_budget(given["budget"])
    named = _named(judgments, candidates, baselines)
    outputs = [*(given[name] for name in OUTPUTS), _summary() if given["github"] else None]
    check_outputs(outputs, _files_read(given, budget))
    check_separate(outputs, [judgments, *named.values()])
    if given["history"] is not None:
        check_history(given["history"])
    with _inputs(judgments, candidates, baselines, named) as inputs:
        return gate(
            *inputs,
            given["measure"],
            budget=budget,
            segments=given["segments"],
            weights=given["weights"],
            must_not_break=given["must_not_break"],
            missing=given["missing"],
            without_relevant=given["without_relevant"],
            rows=given["rows"],
            zero_based=given["zero_based"],
            **{name: given[name] for name in LIMITS if given.get(name) is not None},
        )


FORMATS = ("junit", "sarif", "gitlab", "markdown", "html")
OUTPUTS = (*FORMATS, "init", "history")


def _write(result: GateResult, given: dict[str, Any]) -> None:
    """All that was asked for: the verdict is printed, then files appear and lines are added, all or none."""
    if given["init"] is not None:
        emit(
            f"wrote {given['init']}: riskrank gate … --budget {given['init']}{_looser(result)}",
            beside={given["init"]: _template(result)},
            overwrite=given["overwrite"],
        )
        return
    files = {given[name]: str(getattr(result, f"to_{name}")()) for name in FORMATS if given[name] is not None}
    emit(
        _printed(result, given),
        is_data=given["as_json"],
        beside=files,
        added=_added(result, given),
        overwrite=given["overwrite"],
    )


def _looser(result: GateResult) -> str:
    """What is said of a budget that allows more than the default limits."""
    from riskrank.assessment.gating.budgets.budget_template import loosened_limits

    looser = loosened_limits(result)
    if not looser:
        return ""
    lines = "".join(f"\n  {each}" for each in looser)
    return f"\nLooser than the default limits, which the candidate breaks:{lines}\nTighten what you do not accept."


def _added(result: GateResult, given: dict[str, Any]) -> dict[Path, bytes]:
    """The line of the history, and what the summary of GitHub's job gets."""
    from riskrank.assessment.gating.gate_history import history_line
    from riskrank.files.writing import as_bytes

    lines = {}
    if given["history"] is not None:
        lines[given["history"]] = history_line(result, label=given["label"] or "")
    summary = _summary() if given["github"] else None
    if summary is not None:
        lines[summary] = as_bytes(result.to_markdown() or "")
    return lines


def _summary() -> Path | None:
    """The file that GitHub makes for each step, to be appended to."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    return Path(path) if path else None


def _printed(result: GateResult, given: dict[str, Any]) -> str:
    """The verdict and GitHub's annotations, which are read on both streams: JSON stays alone on its own."""
    annotations = result.github_annotations() if given["github"] else ""
    if given["as_json"]:
        if annotations:
            print(annotations, file=sys.stderr)
        return result.to_json() or ""
    from riskrank.report.text.gate_text import gate_text

    lines = [gate_text(result, limit=_shown(given["show"]), styled=is_coloured(), hint=" (--show all)")]
    if given["html"] is None:
        has_runs, unit = result.scored is not None and result.scored.judgments is not None, result.scores.unit
        page = f"both rankings of every {unit}, side by side" if has_runs else f"every check and every {unit}"
        lines.append(f"--html FILE  {page}")
    return "\n".join([*lines, *([annotations] if annotations else [])])


def _template(result: GateResult) -> str:
    from datetime import UTC, datetime

    from riskrank.assessment.gating.budgets.budget_template import budget_template

    return budget_template(result, today=datetime.now(UTC).date())


def _schema() -> str:
    import json

    from riskrank.assessment.gating.budgets.budget_keys import schema

    return json.dumps(schema(), indent=1, ensure_ascii=False)


def _tell_alone(context: typer.Context, path: Path | None, html: Path | None, *, overwrite: bool) -> None:
    """The trend of a history, or the schema of budgets."""
    _check_alone(context)
    if path is None:
        emit(_schema(), is_data=True)
        return
    from riskrank.assessment.gating.gate_history import GateHistory
    from riskrank.report.gate_formats.gate_history_text import gate_history_text

    check_outputs([html], [str(path)])
    history = GateHistory.read(path)
    pages = {} if html is None else {html: history.to_html() or ""}
    emit(gate_history_text(history, styled=is_coloured()), beside=pages, overwrite=overwrite)


def _shown(show: str | None) -> int:
    """How many broken topics to print."""
    from riskrank.report.text.gate_text import SHOWN

    if show is None:
        return SHOWN
    if show == "all":
        return sys.maxsize
    if not show.isdecimal() or len(show) >= 10:
        raise ParameterError(f"--show takes a number or all, got {quoted(show)}.")
    return int(show)


def _named(judgments: str, candidates: list[str], baselines: list[str]) -> dict[str, str]:
    """The files of baselines and candidates, by name; none where a matrix has their scores."""
    from riskrank.data.names import is_score_matrix

    return {} if is_score_matrix(judgments) else named_systems(list(dict.fromkeys([*baselines, *candidates])))


@contextmanager
def _inputs(
    judgments: str, candidates: list[str], baselines: list[str], named: dict[str, str]
) -> Iterator[tuple[str, Any, Any]]:
    """Judgments, candidates and baselines as `gate` takes them: names of a matrix, or files by name."""
    if not named:
        yield judgments, candidates, baselines
        return
    given = dict.fromkeys([*baselines, *candidates])
    name_of = dict(zip(given, named, strict=True))
    with local_files(judgments, named) as (path, paths):
        new, old = ({name_of[each]: paths[name_of[each]] for each in side} for side in (candidates, baselines))
        yield path, new, old
