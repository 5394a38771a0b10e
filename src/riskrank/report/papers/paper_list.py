"""Every table and figure of the papers in a terminal, and how far each was reproduced when that was last recorded."""

from __future__ import annotations

from riskrank.papers.catalogue import PAPERS
from riskrank.papers.recorded import recorded_outcomes
from riskrank.report.findings.words import words
from riskrank.report.text.terminal import paragraph


def paper_list(paper: str | None = None) -> str:
    """Of all papers, or of one."""
    known = [PAPERS.named(paper)] if paper else [PAPERS[key] for key in PAPERS]
    recorded = recorded_outcomes()
    parts = []
    for each in known:
        title = paragraph(words(f"{each.key}: {each.authors}. {each.title}. {each.venue}."))
        width = max(len(experiment.key) for experiment in each.experiments)
        lines = [title]
        for experiment in each.experiments:
            said = recorded.get((each.key, experiment.key))
            state = "not run yet" if said is None else experiment.state_text(said.state, said.count)
            about = [experiment.title, state] + ([] if said is None else [f"on {said.data}"])
            lines += [f"  {key:{width}}  {text}" for key, text in zip([experiment.key, "", ""], about, strict=False)]
        lines += [paragraph(words(f"  {text}")) for text in each.remarks]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
