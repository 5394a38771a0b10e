"""`riskrank rank`: rank documents with a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer


def rank_command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.", show_default=False)],
    data: Annotated[str, typer.Argument(metavar="DATA", help="A LETOR file; labels are ignored.", show_default=False)],
    output: Annotated[
        Optional[Path], typer.Option("--output", "-o", help="Write to a file instead of stdout.", show_default=False)
    ] = None,
    baseline: Annotated[
        Optional[str],
        typer.Option("--baseline", "-b", help="For a model that starts from its baseline: scores, a run or a model."),
    ] = None,
    tag: Annotated[Optional[str], typer.Option(help="The run's tag (default: the model's name).")] = None,
    depth: Annotated[Optional[int], typer.Option(help="Only so many documents per query.", min=1)] = None,
    scores: Annotated[bool, typer.Option("--scores", help="A score per line of DATA, instead of a run.")] = False,
    zero_based: Annotated[bool, typer.Option("--zero-based", help="Features of the file count from 0.")] = False,
) -> None:
    """Rank the documents of each query, as a TREC run.

    riskrank rank model test.txt -o model.run
    """
    from riskrank.cli.output import check_target, emit
    from riskrank.data.letor.reader import read_letor
    from riskrank.data.trec.run_writer import run_lines
    from riskrank.errors import ParameterError
    from riskrank.rankers import load

    if output is not None:
        check_target(output, [data])
    ranker = load(model)
    documents = read_letor(data, zero_based=zero_based, n_features=ranker.n_features_in_)
    given = load(baseline) if baseline is not None and Path(baseline).is_dir() else baseline
    if given is None and ranker.card_["needs_baseline"] and not ranker.card_["baselines"][0].startswith("feature:"):
        raise ParameterError(f"this model starts from its baseline ({ranker.card_['baselines'][0]}): pass --baseline.")
    predicted = ranker.predict(documents, baseline=given)
    if scores:
        emit("\n".join(repr(float(score)) for score in documents.to_source_order(predicted)), output)
        return
    emit("\n".join(run_lines(documents, predicted, tag=tag or Path(model).name, depth=depth)), output)
