"""`riskrank shard`: data as a folder of shards, for training beyond one machine."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import ZeroBasedFileOption
from riskrank.cli.output import emit
from riskrank.cli.table_options import TableOptions, takes_table
from riskrank.errors import counted

DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="Labelled features, as for train.")]
OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="SHARDS", help="Folder for the shards.")]
ShardsOption = Annotated[
    int | None,
    typer.Option("--shards", help="How many shards (default: 16, or more, so that none is above 256 MiB).", min=1),
]
FeaturesOption = Annotated[
    int | None,
    typer.Option("--n-features", help="How many features LETOR text has; those that no line names are 0.", min=1),
]
BaselineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--baseline",
        "-b",
        help="Scores to keep beside the features: column:bm25 of a table, or a TREC run; repeatable.",
    ),
]


@takes_table("query", "label", "document", "features", "drop", "categories", "weight")
def command(
    data: DataArgument,
    output: OutputOption,
    n_shards: ShardsOption = None,
    baseline: BaselineOption = None,
    zero_based: ZeroBasedFileOption = False,
    n_features: FeaturesOption = None,
    *,
    table: TableOptions,
) -> None:
    """Write data into shards of whole queries, a part at a time, for commands with --cluster.

    riskrank shard train.txt -o shards
    """
    gc.enable()  # see main.run
    table.check(data, zero_based=zero_based)
    from riskrank.data.feature_tables.separate_outputs import check_separate
    from riskrank.data.shards.shard_writer import write_shards
    from riskrank.data.shards.sharded_data import ShardedData

    check_separate([output], (data, *(baseline or ())))
    manifest = write_shards(
        data, output, table.choice, n_shards=n_shards, baselines=baseline or (), zero_based=zero_based,
        n_features=n_features,
    )  # fmt: skip
    sizes = manifest.documents_of_shards
    emit(f"{output}: {ShardedData(output)}, {min(sizes):,} to {counted(max(sizes), 'document')} each")
