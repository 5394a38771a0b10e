"""Every table and figure of the papers in a terminal, and how far each was reproduced when that was last recorded."""

from __future__ import annotations

from riskrank.papers.catalogue import PAPERS
from riskrank.papers.recorded import recorded_outcomes
from riskrank.report.findings.words import words
from riskrank.report.text.formatting import aligned
from riskrank.report.text.terminal import paragraph


def paper_list(paper: str | None = None) -> str:
    """Of all papers, or of one."""
    known = [PAPERS.named(paper)] if paper else [PAPERS[key] for key in PAPERS]
    recorded = recorded_outcomes()
    parts = []
    for each in known:
        rows = []
        for experiment in each.experiments:
            said = recorded.get((each.key, experiment.key))
            state = "not run yet" if said is None else f"{said.state}{f' ({said.count})' if said.count else ''}"
            rows.append([f"  {experiment.key}", experiment.title, state])
        title = paragraph(words(f"{each.key}: {each.authors}. {each.title}. {each.venue}."))
        parts.append(
            "\n".join([title, aligned(["", "shows", "state"], rows, left=("", "shows", "state")).partition("\n")[2]])
        )
        needs = dict.fromkeys(experiment.needs for experiment in each.experiments if experiment.needs)
        parts[-1] += "".join(f"\n{paragraph(words(f'  --data: {need}'))}" for need in needs)
    return "\n\n".join(parts)
