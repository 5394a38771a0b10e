"""How time and memory grow with the work: everything that riskrank does, from 1 to 64 times a size.

    python benchmarks/growth.py                                # all
    python benchmarks/growth.py --picture                      # and the picture of docs/speed.md
    python benchmarks/growth.py --only assess --largest 16     # a look

Each size is a fresh process, which first does the smallest work, so that libraries are loaded and loops compiled; its
figures are processor time of all threads, and the most memory above what it had with its inputs made. The slope is that
of log time against log size over the upper half of the sizes, where what does not grow weighs least: nothing is
subtracted. A slope of 1 is linear.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fresh_process import figures_of, forget_peak, peak_bytes, resident_bytes
from interleaved import against_target, print_machine

STEEPEST = 1.1
NO_BYTES = 10e6  # what memory is less than this says nothing
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "growth.png"


class Growth(NamedTuple):
    """Seconds and bytes of a part of a job at each of its sizes, which are multiples of the smallest."""

    job: str
    part: str
    times: list[int]
    seconds: list[float]
    bytes: list[float]

    def slope(self, values: list[float]) -> float:
        """Over the upper half of the sizes."""
        half = slice((len(self.times) - 1) // 2, None)
        return float(np.polyfit(np.log(self.times[half]), np.log(np.maximum(values[half], 1e-9)), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="jobs whose name holds this text")
    parser.add_argument("--largest", type=int, default=64, help="how many times the smallest size (default 64)")
    parser.add_argument("--picture", action="store_true", help=f"write {PICTURE.name}")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "TIMES"), help="measure one size here and print it as JSON")
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(measured(options.one[0], int(options.one[1]))))
        return
    from growth_jobs import JOBS

    times = [2**power for power in range(options.largest.bit_length())]
    print_machine("before")
    print(f"\n{'':<48}{'time':>7}{'memory':>8}   largest")
    growths = []
    for name, job in JOBS.items():
        if options.only in name:
            print(f"{name}: {job.smallest:,} to {times[-1] * job.smallest:,} {job.unit}")
            for growth in grown(name, times):
                growths.append(growth)
                print_growth(growth)
    steepest = max(growths, key=lambda growth: growth.slope(growth.seconds))
    slope = steepest.slope(steepest.seconds)
    print(f"\nsteepest: {steepest.job} {steepest.part}, {slope:.2f}  {against_target(slope, at_most=STEEPEST)}")
    print_machine("after")
    if options.picture:
        draw(growths)


def grown(name: str, times: list[int]) -> list[Growth]:
    """The parts of a job at all sizes."""
    rows = [figures_of(__file__, ["--one", name, str(each)]) for each in times]
    parts = [key.removeprefix("seconds") for key in rows[0] if key.startswith("seconds")]
    return [
        Growth(name, part, times, [row[f"seconds{part}"] for row in rows], [row[f"bytes{part}"] for row in rows])
        for part in parts
    ]


def measured(name: str, times: int) -> dict[str, float]:
    """Processor seconds and added memory of each part of a job, in this process."""
    from growth_jobs import JOBS

    job = JOBS[name]
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        for work in job.begin(Path(one), job.smallest).values():
            work()
        for part, work in job.begin(Path(other), job.smallest * times).items():
            forget_peak()
            before, started = resident_bytes(), time.process_time()
            work()
            figures[f"seconds{part}"] = time.process_time() - started
            figures[f"bytes{part}"] = peak_bytes() - before
    return figures


def print_growth(growth: Growth) -> None:
    slope = growth.slope(growth.seconds)
    memory = f"{growth.slope(growth.bytes):8.2f}" if growth.bytes[-1] > NO_BYTES else f"{'–':>8}"
    print(
        f"  {growth.part:<46}{slope:7.2f}{memory}   {growth.seconds[-1]:6.2f} s "
        f"{growth.bytes[-1] / 1e6:6.0f} MB{'' if slope <= STEEPEST else '   STEEP'}",
        flush=True,
    )


def draw(growths: list[Growth]) -> None:
    """A small plot of each job, a line for each of its parts, and one of slope 1 to the largest size."""
    import altair as alt

    most = {growth.job: max(each.seconds[-1] for each in growths if each.job == growth.job) for growth in growths}
    rows = [
        {"job": growth.job, "part": growth.part, "times": each, "seconds": seconds}
        | {"linear": most[growth.job] * each / growth.times[-1]}
        for growth in growths
        for each, seconds in zip(growth.times, growth.seconds, strict=True)
    ]
    sizes = alt.Axis(values=[1, 8, 64], grid=False)
    seconds = alt.Axis(values=[0.001, 0.01, 0.1, 1, 10], grid=False, format="~g")
    scale = alt.Scale(type="log", domain=[0.001, 20], clamp=True)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        alt.X("times:Q", title=None, scale=alt.Scale(type="log", base=2), axis=sizes), alt.Detail("part:N")
    )
    linear = base.mark_line(strokeDash=[2, 2], color="#8A8A8A", strokeWidth=1).encode(
        alt.Y("linear:Q", title=None, scale=scale, axis=seconds)
    )
    drawn = base.mark_line(color="#0072B2", strokeWidth=1.2).encode(
        alt.Y("seconds:Q", title=None, scale=scale, axis=seconds)
    )
    header = alt.Header(labelFontSize=10, labelPadding=2, title=None)
    facet = alt.Facet("job:N", header=header, sort=list(most))
    plots = alt.layer(linear, drawn).properties(width=125, height=70).facet(facet, columns=6, spacing=12)
    plots.configure(font="Helvetica, Arial, sans-serif").configure_axis(labelFontSize=9).save(PICTURE)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
