"""What documents show: their examples, run as a reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from riskrank.data.example import save_example

PROJECT = Path(__file__).parent.parent
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
# What commands tell of tables: which column is what, and how many queries there are for what.
TOLD = re.compile(r"riskrank: \S+: (query = .+, \d+ features.*|train [\d,]+ queries.*)\.")
RUN = """
import sys
for code in sys.argv[1:]:
    exec(compile(code, "example", "exec"), {"__name__": "__main__"})
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def shown(page: Path) -> list[tuple[str, str]]:
    """Commands, each with the text that comes next: what it prints."""
    return [
        (command, text)
        for (language, command), (after, text) in pairwise(blocks(page))
        if (language, after) == ("sh", "text")
    ]


def without_numbers(text: str) -> str:
    """Trees differ a little from processor to processor; so may numbers and how lines break, but not what they say."""
    drawn = re.sub(r"[│├─●┤]+", "", text)
    return re.sub(r"\s+", " ", re.sub(r"[+−]?\d[\d,.]*%?", "0", drawn))


def run_examples(page: Path, tmp_path: Path) -> dict[str, str]:
    """Run every command and every piece of Python of a page; what each command printed."""
    printed = {}
    save_example(tmp_path / "example")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    together = [code for language, code in blocks(page) if language == "python"]
    for language, code in blocks(page):
        if language == "sh" and not code.startswith("make"):
            # A gate that fails exits 1, which is not an error of the example.
            command = ["sh", "-c", code]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert done.returncode in (0, 1), done.stderr
            assert [line for line in done.stderr.splitlines() if not TOLD.fullmatch(line)] == []
            printed[code] = done.stdout
    # Each by itself, but in one process: most of a short one's time is its start.
    command = [sys.executable, "-W", "error", "-c", RUN, *together]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return printed
