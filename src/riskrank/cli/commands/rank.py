"""`riskrank rank`: rank documents with a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskrank.cli.options import ModelArgument, OutputFileOption, OverwriteOption, ZeroBasedFileOption
from riskrank.cli.output import emit
from riskrank.cli.rankers import baseline_from
from riskrank.files.outputs import check_outputs

DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A LETOR file; labels are ignored.")]
BaselineOption = Annotated[
    str | None,
    typer.Option("--baseline", "-b", help="For a model that starts from its baseline: scores, a run or a model."),
]
TagOption = Annotated[str | None, typer.Option(help="The run's tag (default: the model's name).")]
DepthOption = Annotated[int | None, typer.Option(help="Only this many documents per query.", min=1)]
ScoresOption = Annotated[bool, typer.Option("--scores", help="A score per line of DATA, instead of a run.")]


def command(
    model: ModelArgument,
    data: DataArgument,
    output: OutputFileOption = None,
    baseline: BaselineOption = None,
    tag: TagOption = None,
    depth: DepthOption = None,
    scores: ScoresOption = False,
    overwrite: OverwriteOption = False,
    zero_based: ZeroBasedFileOption = False,
) -> None:
    """Rank the documents of each query, as a TREC run.

    riskrank rank model test.txt -o model.run
    """
    from riskrank.data.letor.reader import read_letor
    from riskrank.data.trec.run_writer import check_finite_scores, run_lines
    from riskrank.rankers import load

    if output is not None:
        check_outputs([output], [data, *([] if baseline is None else [baseline])])
    ranker = load(model)
    documents = read_letor(data, zero_based=zero_based, n_features=ranker.n_features_in_)
    predicted = ranker.predict(documents, baseline=None if baseline is None else baseline_from(baseline))
    check_finite_scores(documents, predicted)
    if scores:
        lines = [repr(float(score)) for score in documents.to_source_order(predicted)]
    else:
        lines = list(run_lines(documents, predicted, tag=tag or Path(model).name, depth=depth))
    emit("\n".join(lines), output, is_data=True, overwrite=overwrite)
