"""`riskrank measures`: what can be measured."""

from __future__ import annotations


def command() -> None:
    """List the effectiveness measures, their parameters and other names."""
    from dataclasses import fields

    from riskrank.cli.output import emit
    from riskrank.measures import MEASURES
    from riskrank.report.text.formatting import aligned

    rows = []
    for name, measure in sorted(MEASURES.items(), key=lambda item: item[0].lower()):
        parameters = [f.name for f in fields(measure)]
        shown = f"{name}@k" if "cutoff" in parameters else name
        rest = ", ".join(p for p in parameters if p != "cutoff")
        rows.append([shown, rest, ", ".join(MEASURES.aliases(name)), measure.summary])
    header = ["measure", "parameters", "also", "what it is"]
    note = "Write them like nDCG@10, P(rel=2)@5 or RBP(p=0.9). Measures of ir_measures work where it is installed."
    emit(f"{aligned(header, rows, left=header)}\n\n{note}")
