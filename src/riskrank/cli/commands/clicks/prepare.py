"""`riskrank clicks prepare`: from a search log to pages with features and satisfied clicks."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskrank.cli.options import QuietOption, SeedOption, numbers_from
from riskrank.cli.output import INTERRUPTED, emit, fail, say
from riskrank.typing import SplitKind

if TYPE_CHECKING:
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.clicks.prepared import Prepared

MEGABYTE = 1 << 20

LogArgument = Annotated[
    list[str], typer.Argument(metavar="LOG…", help="A log in one or several files: text, .gz, .csv, .parquet.")
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the prepared pages.")]
LayoutOption = Annotated[str | None, typer.Option(help="{layouts}; default: told from the file.")]
SatisfiedOption = Annotated[
    float, typer.Option(help="A click satisfies from this many units of time on, or if it ends the session.")
]
GradesOption = Annotated[
    str | None, typer.Option(help="Several limits instead, as 50,400: relevant and highly relevant.")
]
SplitOption = Annotated[SplitKind, typer.Option(help="What tells training, validation and test apart.")]
SharesOption = Annotated[str, typer.Option(help="Sizes of training, validation and test.")]
BoundaryOption = Annotated[
    int | None,
    typer.Option(help="Users (or sessions) numbered from this on are for testing, those below for the rest."),
]
HistoryOption = Annotated[float, typer.Option(help="The first share of the log, which is only remembered.")]
FeaturesOption = Annotated[
    str | None,
    typer.Option(help="Groups or names of features between commas (see riskrank clicks features); default: all."),
]
KeepUnsatisfiedOption = Annotated[
    bool, typer.Option("--keep-unsatisfied", help="Keep pages without a satisfied click.")
]
SampleOption = Annotated[float, typer.Option(help="Write the pages of this share of users (or sessions) only.")]
SizesOption = Annotated[
    str | None, typer.Option(help="Write about this many pages for training, validation and test, as 2000,1000,1000.")
]
MemoryOption = Annotated[int, typer.Option(help="Megabytes for what is remembered of earlier pages.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop at the first line that makes no sense.")]


def command(
    log: LogArgument,
    output: OutputOption,
    layout: LayoutOption = None,
    satisfied: SatisfiedOption = 30.0,
    grades: GradesOption = None,
    split: SplitOption = "time",
    shares: SharesOption = "2,1,1",
    boundary: BoundaryOption = None,
    history: HistoryOption = 0.25,
    features: FeaturesOption = None,
    keep_unsatisfied: KeepUnsatisfiedOption = False,
    sample: SampleOption = 1.0,
    sizes: SizesOption = None,
    memory: MemoryOption = 2048,
    strict: StrictOption = False,
    random_state: SeedOption = 0,
    verbose: QuietOption = None,
) -> None:
    """Read a log and write its pages with features and satisfied clicks, for training, validation and testing.

    riskrank clicks prepare log.parquet -o prepared
    """
    gc.enable()  # see main.run
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.clicks.preparation import prepare
    from riskrank.clicks.prepared_folder import prepared_folder
    from riskrank.parameters import whole

    whole("memory", memory, 2)  # megabytes, which `prepare` has in bytes
    if prepared_folder(output).was_interrupted:
        say(f"an earlier run for {output} was interrupted, and nothing of it can be used: this one starts again.")
    report = LogReport()
    try:
        prepared = prepare(
            log, output, layout=layout, satisfied=satisfied,
            grades=None if grades is None else numbers_from([grades], "--grades"), split=split,
            shares=numbers_from([shares], "--shares"), boundary=boundary, history=history,
            features=None if features is None else [name.strip() for name in features.split(",")],
            keep_unsatisfied=keep_unsatisfied, sample=sample, memory=memory * MEGABYTE, strict=strict,
            sizes=None if sizes is None else numbers_from([sizes], "--sizes"),
            random_state=random_state, report=report, verbose=verbose,
        )  # fmt: skip
    except KeyboardInterrupt:
        fail(f"interrupted; nothing was prepared, and the same command starts again ({output}).", INTERRUPTED)
    emit(_summary(prepared, report, output))


def _summary(prepared: Prepared, report: LogReport, output: Path) -> str:
    lines = [f"log: {report}"]
    if prepared.card["without_day"]:
        lines.append(f"{prepared.card['without_day']:,} pages have no day and are left out.")
    if prepared.card["not_remembered"]:
        lines.append(f"{prepared.card['not_remembered']:,} counts did not fit: pass a larger --memory.")
    return "\n".join([*lines, f"{output}: {prepared}"])
