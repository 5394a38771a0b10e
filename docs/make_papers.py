"""The record of how far each experiment was reproduced, and the page that shows it.

python docs/make_papers.py                       # small versions, and those that need no data
python docs/make_papers.py --data dincer2016=DIR # the full protocol of a paper, with your copy of its data
python docs/make_papers.py dincer2016            # one paper; the others stay as they were recorded
python docs/make_papers.py dincer2016/table-7    # one experiment; with --data dincer2016/table-7=DIR on data
python docs/make_papers.py --page                # nothing is run: the page anew, from what is recorded

It writes `src/riskrank/papers/recorded.json`, which `riskrank reproduce --list` shows, `docs/papers.md`, and a picture
of the figures of each experiment in `docs/papers`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from paper_pictures import picture

from riskrank.papers.catalogue import PAPERS
from riskrank.papers.outcome import PaperNumber
from riskrank.papers.reproduction import reproduce
from riskrank.report.text.formatting import decimals

if TYPE_CHECKING:
    from riskrank.papers.paper import Paper

DOCS = Path(__file__).parent
RECORD = DOCS.parent / "src" / "riskrank" / "papers" / "recorded.json"
PICTURES = "papers"
WORK = "papers-work"


def recorded(key: str, data: Path | None) -> dict[str, dict[str, str]]:
    """The outcomes of a paper's experiments, or of one of them; their figures are drawn."""
    paper, _, experiment = key.partition("/")
    folder = None if data is None else Path(WORK) / key
    outcomes = reproduce(paper, experiment or None, data=data, folder=folder).outcomes
    (DOCS / PICTURES).mkdir(exist_ok=True)
    for name, outcome in outcomes.items():
        if outcome.figures:
            (DOCS / PICTURES / f"{paper}-{name}.svg").write_text(picture(outcome.figures), encoding="utf-8")
    return {
        name: {"state": outcome.state, "count": outcome.count, "data": outcome.data}
        for name, outcome in outcomes.items()
    }


def section(paper: Paper, outcomes: dict[str, dict[str, str]]) -> str:
    """A paper: its experiments and its equations."""
    lines = [f"## {paper.key}", "", f"{paper.authors}: *{paper.title}*. {paper.venue}.", ""]
    lines += ["| experiment | shows | state | on |", "|---|---|---|---|"]
    for each in paper.experiments:
        said = outcomes[each.key]
        state = each.state_text(said["state"], said["count"])
        lines.append(f"| `{each.key}` | {each.title} | {state} | {said['data']} |")
    lines += ["", *(f"- {text.replace('--data', '`--data`', 1)}" for text in paper.remarks)]
    lines += ["", "| equation | what | computed by |", "|---|---|---|"]
    lines += [f"| {each.number} | {each.what} | `{each.code.replace(':', '.')}` |" for each in paper.equations]
    for table in (each.measured for each in paper.experiments if each.measured is not None):
        lines += ["", f"{table.title} ({table.note}):", "", f"| {' | '.join((table.label, *table.columns))} |"]
        lines += [f"|{'---|' * (1 + len(table.columns))}"]
        lines += [f"| {' | '.join((row.label, *map(cell_text, row.cells)))} |" for row in table.rows]
    for each in paper.experiments:
        file = f"{PICTURES}/{paper.key}-{each.key}.svg"
        if (DOCS / file).is_file():
            said = outcomes[each.key]["data"]
            lines += ["", f"`{each.key}`, on {said}:", "", f"![{each.title}]({file})"]
    return "\n".join(lines)


def cell_text(cell: PaperNumber | str | None) -> str:
    """A cell of a table."""
    return decimals(cell.ours, cell.digits) if isinstance(cell, PaperNumber) else cell or ""


def main() -> None:
    """Run the papers that were asked for, and write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="*", metavar="PAPER[/EXPERIMENT]")
    parser.add_argument("--data", action="append", default=[], metavar="PAPER[/EXPERIMENT]=DIR")
    parser.add_argument("--page", action="store_true", help="write the page only, from what is recorded")
    asked = parser.parse_args()
    data = dict(each.split("=", 1) for each in asked.data)
    known = json.loads(RECORD.read_text(encoding="utf-8"))
    for key in [] if asked.page else asked.papers or list(PAPERS):
        outcomes = recorded(key, Path(data[key]) if key in data else None)
        paper, _, experiment = key.partition("/")
        known[paper] = {**known[paper], **outcomes} if experiment else outcomes
    RECORD.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    first = (DOCS / "papers.md").read_text(encoding="utf-8").partition(f"\n## {next(iter(PAPERS))}\n")[0].rstrip()
    parts = [section(PAPERS[key], known[key]) for key in PAPERS if key in known]
    (DOCS / "papers.md").write_text("\n\n".join([first, *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
