"""`riskrank clicks evaluate`: what rankers that learned from clicks gain, and how often they re-rank."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import OverwriteOption
from riskrank.cli.output import emit, is_coloured
from riskrank.files.outputs import check_outputs
from riskrank.typing import PartName

ModelsArgument = Annotated[str, typer.Argument(metavar="MODELS", help="What train wrote.")]
OnOption = Annotated[str | None, typer.Option(metavar="PREPARED", help="Judge on other prepared clicks, in one pass.")]
PartOption = Annotated[PartName, typer.Option(help="Which part of them.")]
HtmlOption = Annotated[Path | None, typer.Option(help="Where to write the report (default: MODELS/report.html).")]
TablesOption = Annotated[bool, typer.Option("--tables", help="Print all numbers.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the table as JSON.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")]


def command(
    models: ModelsArgument,
    on: OnOption = None,
    part: PartOption = "test",
    html: HtmlOption = None,
    tables: TablesOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Show what the models gain, what they risk and how often they re-rank; the ones to show are chosen by validation.

    riskrank clicks evaluate models
    """
    gc.enable()  # see main.run
    from riskrank.clicks.prepared import Prepared
    from riskrank.report.clicks.click_text import click_numbers, click_text
    from riskrank.report.page.clicks.click_page import click_page
    from riskrank.tradeoff.clicks.click_sweep import ClickSweep
    from riskrank.tradeoff.clicks.click_table import click_table, click_table_on, method_standings

    _check(on, part, html, as_json=as_json, as_csv=as_csv)
    sweep = ClickSweep.load(models)
    rows = click_table(sweep) if on is None else click_table_on(sweep, Prepared.open(on), part)
    page = html
    if on is None and html is None and not (as_json or as_csv):
        page = Path(models) / "report.html"
    pages = {} if page is None else {page: click_page(sweep, source=Path(models).name)}
    if as_json or as_csv:
        import polars as pl

        frame = pl.DataFrame([row.to_dict() for row in rows])
        emit(
            (frame.write_json() if as_json else frame.write_csv()).rstrip("\n"),
            is_data=True,
            beside=pages,
            overwrite=overwrite,
        )
        return
    if tables:
        text = click_numbers(rows, sweep.measure, part=part)
    else:
        standings = method_standings(sweep, is_judged_elsewhere=on is not None)
        text = click_text(rows, sweep.measure, standings, part=part, styled=is_coloured())
    more = ["" if tables else "--tables  all numbers", "" if page is None else f"{page}  the curve and all models"]
    emit("\n\n".join(filter(None, [text, "    ".join(filter(None, more))])), beside=pages, overwrite=overwrite)


def _check(on: str | None, part: str, html: Path | None, *, as_json: bool, as_csv: bool) -> None:
    """Refuse options that contradict each other, and a page that cannot be written."""
    from riskrank.errors import ParameterError

    if as_json and as_csv:
        raise ParameterError("choose --json or --csv, not both.")
    if on is not None and html is not None:
        raise ParameterError("--html shows the test pages of training: leave --on out.")
    if on is None and part != "test":
        raise ParameterError("--part is a part of other prepared clicks: pass them with --on.")
    if html is not None:
        check_outputs([html], [])
