"""`riskrank plot`: a chart for a paper or a slide."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from riskrank.cli.output import check_target

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A sweep's folder, JSON that evaluate wrote, or a matrix of scores (.csv, .tsv, .parquet).",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path, typer.Option("--output", "-o", help="A .pdf, .svg, .png, .html or .json file.", show_default=False)
]
ChartOption = Annotated[
    str,
    typer.Option(
        "--chart",
        "-c",
        help="risk-gain, helped-hurt, topics, exploratory, georisk; "
        "of sweeps also reranked, convergence, distance, distance-reward; of those over clicks click-models, "
        "click-parameters.",
    ),
]
BaselineOption = Annotated[
    Optional[str], typer.Option("--baseline", "-b", help="For a matrix of scores: the baseline.")
]
MeasureOption = Annotated[
    Optional[str], typer.Option("--measure", "-m", help="For JSON of several measures: which one.")
]
SystemOption = Annotated[Optional[str], typer.Option(help="For topics and exploratory: which system.")]
AlphaOption = Annotated[Optional[float], typer.Option("--alpha", "-a", help="What losses weigh more.")]
WidthOption = Annotated[Optional[int], typer.Option(help="Width in points.", min=50)]
HeightOption = Annotated[Optional[int], typer.Option(help="Height in points.", min=50)]
ScaleOption = Annotated[float, typer.Option(help="For PNG: pixels per point.")]


def command(
    source: SourceArgument,
    output: OutputOption,
    chart: ChartOption = "risk-gain",
    baseline: BaselineOption = None,
    measure: MeasureOption = None,
    system: SystemOption = None,
    alpha: AlphaOption = None,
    width: WidthOption = None,
    height: HeightOption = None,
    scale: ScaleOption = 3.0,
) -> None:
    """Draw a chart of a sweep or of an evaluation.

    riskrank plot sweep -o risk-gain.pdf
    """
    from riskrank.errors import ParameterError
    from riskrank.report.charts.catalogue import CHARTS, save_chart

    if not scale > 0:
        raise ParameterError(f"--scale must be above 0, got {scale:g}.")
    check_target(output, [source])
    draw = CHARTS.named(chart).draw
    options = _known_options(draw, chart, system, alpha)
    drawn = draw(_source(source, baseline, measure), **options)
    size = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    save_chart(drawn.properties(**size) if size else drawn, output, scale=scale)


def _known_options(
    draw: Callable[..., object], chart: str, system: str | None, alpha: float | None
) -> dict[str, str | float]:
    """The options that are given, all of which the chart must have."""
    from riskrank.errors import ParameterError

    accepted = inspect.signature(draw).parameters
    options: dict[str, str | float] = {}
    for name, value in (("system", system), ("alpha", alpha)):
        if value is None:
            continue
        if name not in accepted:
            raise ParameterError(f"the chart {chart} has no --{name}.")
        options[name] = value
    return options


def _source(source: str, baseline: str | None, measure: str | None) -> Assessment | Sweep:
    from riskrank.assessment.assess import assess
    from riskrank.assessment.assessment import read_assessments
    from riskrank.data.names import is_score_matrix
    from riskrank.errors import ParameterError, listing
    from riskrank.tradeoff.sweep import Sweep

    if baseline is not None and not is_score_matrix(source):
        raise ParameterError(f"--baseline is for a matrix of scores; {source} has its own.")
    if Path(source).is_dir():
        return Sweep.load(source)
    if is_score_matrix(source):
        if baseline is None:
            raise ParameterError("a matrix of scores needs a --baseline.")
        return assess(source, baseline)
    assessments = read_assessments(source)
    if measure is None and len(assessments) > 1:
        raise ParameterError(f"{source} holds several measures ({listing(assessments)}): name one with --measure.")
    name = measure or next(iter(assessments))
    if name not in assessments:
        raise ParameterError(f"{source} has no measure {name}; it has {listing(assessments)}.")
    return assessments[name]
