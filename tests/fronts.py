"""How many hostile cases were tried, and how many held, front by front: `make hostile`."""

from __future__ import annotations

import re
from collections import Counter

FRONTS = {
    "crashes and failing disks, step by step": r"files/test_crashes",
    "real kills, and races": r"files/test_kills",
    "disks that are full, read-only or gone": r"files/test_bad_disks",
    "folders, outputs, locks": r"files/test_(own_folder|outputs|writing|power_loss|one_door|appending|scratch)",
    "records and their schemas": r"files/test_(reading|records|formats)",
    "tampered artefacts": r"hostile/test_tampered",
    "changed bytes and values, every format": r"hostile/test_mutations",
    "columns of every type": r"hostile/test_odd_columns",
    "floods": r"hostile/test_floods",
    "what gates and papers are given": r"hostile/test_(gate_input|paper_folders)",
    "absurd numbers, every option": r"hostile/test_absurd_options",
    "terminal escapes": r"hostile/test_terminal_escapes",
    "poor surroundings": r"hostile/test_poor_surroundings",
}
tried: Counter[str] = Counter()
held: Counter[str] = Counter()


def pytest_runtest_logreport(report):
    """A test is one case, unless it says how many it tried."""
    if report.when != "call" or report.skipped:
        return
    front = next((name for name, files in FRONTS.items() if re.search(files, report.nodeid)), None)
    if front is not None:
        number = int(dict(report.user_properties).get("tried", 1))
        tried[front] += number
        held[front] += number if report.passed else 0


def pytest_terminal_summary(terminalreporter):
    """The table; a test that failed holds in none of its cases."""
    terminalreporter.section("fronts: tried, held")
    for name in FRONTS:
        terminalreporter.write_line(f"{name:<42} {tried[name]:>8,} {held[name]:>8,}")
    terminalreporter.write_line(f"{'all':<42} {tried.total():>8,} {held.total():>8,}")
