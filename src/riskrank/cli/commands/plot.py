"""`riskrank plot`: a chart for a paper or a slide."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.command import flags
from riskrank.cli.options import OverwriteOption
from riskrank.errors import ParameterError, listing
from riskrank.files.outputs import check_outputs, check_replaced
from riskrank.files.writing import write_atomically

if TYPE_CHECKING:
    from riskrank.assessment.assessment import Assessment
    from riskrank.tradeoff.sweep import Sweep

MOST_POINTS = 5000
USUAL_POINTS = 1000  # no chart is larger by itself
MOST_PIXELS = 10**8

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A sweep's folder, JSON that evaluate wrote, or a matrix of scores (.csv, .tsv, .parquet).",
    ),
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="A .pdf, .svg, .png, .html or .json file.")]
ChartOption = Annotated[str, typer.Option("--chart", "-c", help="{charts}; some are of sweeps only.")]
BaselineOption = Annotated[str | None, typer.Option("--baseline", "-b", help="For a matrix of scores: the baseline.")]
MeasureOption = Annotated[str | None, typer.Option("--measure", "-m", help="For JSON of several measures: which one.")]
SystemOption = Annotated[str | None, typer.Option(help="For topics and exploratory: which system.")]
SystemsOption = Annotated[list[str] | None, typer.Option(help="For helped-hurt: a system to show; repeatable.")]
AlphaOption = Annotated[float | None, typer.Option("--alpha", "-a", help="How much more losses weigh.")]
LargestAlphaOption = Annotated[float | None, typer.Option(help="For georisk: where the axis of alpha ends.")]
WidthOption = Annotated[int | None, typer.Option(help="Width in points.", min=50, max=MOST_POINTS)]
HeightOption = Annotated[int | None, typer.Option(help="Height in points.", min=50, max=MOST_POINTS)]
ScaleOption = Annotated[float, typer.Option(help="For PNG: pixels per point.")]


def command(
    context: typer.Context,
    source: SourceArgument,
    output: OutputOption,
    chart: ChartOption = "risk-gain",
    baseline: BaselineOption = None,
    measure: MeasureOption = None,
    system: SystemOption = None,
    systems: SystemsOption = None,
    alpha: AlphaOption = None,
    largest_alpha: LargestAlphaOption = None,
    width: WidthOption = None,
    height: HeightOption = None,
    scale: ScaleOption = 3.0,
    overwrite: OverwriteOption = False,
) -> None:
    """Draw a chart of a sweep or of an evaluation.

    riskrank plot sweep -o risk-gain.svg
    """
    from riskrank.parameters import positive, within
    from riskrank.report.charts.catalogue import CHARTS, chart_content

    positive("scale", scale)
    # Whoever draws PNG holds all of its pixels, and ends the process where it cannot.
    within("scale", scale, 0, (MOST_PIXELS / ((width or USUAL_POINTS) * (height or USUAL_POINTS))) ** 0.5)
    check_outputs([output], [source])
    shown = _source(source, baseline, measure)  # before libraries are loaded, which takes a second or two
    draw = CHARTS.named(chart).draw
    given = {"system": system, "systems": systems, "alpha": alpha, "largest_alpha": largest_alpha}
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if name not in inspect.signature(draw).parameters:
            raise ParameterError(f"the chart {chart} has no {flags(context)[name]}.")
    drawn = draw(shown, **options)
    size = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    content = chart_content(drawn.properties(**size) if size else drawn, output, scale=scale)
    if not overwrite:
        check_replaced(output, content)
    write_atomically(output, content)


def _source(source: str, baseline: str | None, measure: str | None) -> Assessment | Sweep:
    from riskrank.assessment.assess import assess
    from riskrank.assessment.assessment import read_assessments
    from riskrank.data.names import is_score_matrix

    if baseline is not None and not is_score_matrix(source):
        raise ParameterError(f"--baseline is for a matrix of scores; {source} has its own.")
    if Path(source).is_dir():
        from riskrank.tradeoff.sweep import Sweep

        return Sweep.load(source)
    if is_score_matrix(source):
        if baseline is None:
            raise ParameterError("a matrix of scores needs a --baseline.")
        return assess(source, baseline)
    assessments = read_assessments(source)
    if not assessments:
        raise ParameterError(f"{source} holds no assessment.")
    if measure is None and len(assessments) > 1:
        raise ParameterError(f"{source} holds several measures ({listing(assessments)}): name one with --measure.")
    name = measure or next(iter(assessments))
    if name not in assessments:
        raise ParameterError(f"{source} has no measure {name}; it has {listing(assessments)}.")
    return assessments[name]
