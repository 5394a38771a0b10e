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
            lines += [f"  {experiment.key:{width}}  {experiment.title}", f"  {'':{width}}  {state}"]
        lines += [paragraph(words(f"  {text}")) for text in each.data_texts]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
