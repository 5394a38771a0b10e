"""`riskrank plot`: a chart for a paper or a slide."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Optional

import typer


def plot_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A sweep's folder, JSON that evaluate wrote, or a matrix of scores (.csv, .tsv, .parquet).",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A .pdf, .svg, .png, .html or .json file.", show_default=False)
    ],
    chart: Annotated[
        str,
        typer.Option(
            "--chart",
            "-c",
            help="risk-gain, helped-hurt, topics, exploratory, georisk; "
            "of sweeps also reranked, convergence, distance, distance-reward; of those over clicks click-models, "
            "click-parameters.",
        ),
    ] = "risk-gain",
    baseline: Annotated[
        Optional[str], typer.Option("--baseline", "-b", help="For a matrix of scores: the baseline.")
    ] = None,
    measure: Annotated[
        Optional[str], typer.Option("--measure", "-m", help="For JSON of several measures: which one.")
    ] = None,
    system: Annotated[Optional[str], typer.Option(help="For topics and exploratory: which system.")] = None,
    alpha: Annotated[Optional[float], typer.Option("--alpha", "-a", help="What losses weigh more.")] = None,
    width: Annotated[Optional[int], typer.Option(help="Width in points.", min=50)] = None,
    height: Annotated[Optional[int], typer.Option(help="Height in points.", min=50)] = None,
    scale: Annotated[float, typer.Option(help="For PNG: pixels per point.")] = 3.0,
) -> None:
    """Draw a chart of a sweep or of an evaluation.

    riskrank plot sweep -o risk-gain.pdf
    """
    import inspect

    from riskrank.cli.output import check_target
    from riskrank.errors import ParameterError
    from riskrank.report.charts.catalogue import CHARTS, save_chart

    if not scale > 0:
        raise ParameterError(f"--scale must be above 0, got {scale:g}.")
    check_target(output, [source])
    draw = CHARTS.named(chart).draw
    accepted = inspect.signature(draw).parameters
    options: dict[str, Any] = {}
    for name, value in (("system", system), ("alpha", alpha)):
        if value is not None and name not in accepted:
            raise ParameterError(f"the chart {chart} has no --{name}.")
        if value is not None:
            options[name] = value
    drawn = draw(_source(source, baseline, measure), **options)
    size = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    save_chart(drawn.properties(**size) if size else drawn, output, scale=scale)


def _source(source: str, baseline: str | None, measure: str | None) -> Any:
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
    found = read_assessments(source)
    if measure is None and len(found) > 1:
        raise ParameterError(f"{source} holds several measures ({listing(found)}): name one with --measure.")
    name = measure or next(iter(found))
    if name not in found:
        raise ParameterError(f"{source} has no measure {name}; it has {listing(found)}.")
    return found[name]
