"""A budget file to begin with, from the present state."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from riskrank.assessment.gating.budgets.budget_keys import DEFAULT_LIMITS, LIMITS, TOP
from riskrank.errors import counted, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from riskrank.assessment.gating.comparison import Comparison
    from riskrank.assessment.gating.gate_result import GateResult
    from riskrank.risk.budget.check import Check

VALUE_OF = {"max_hurt": "hurt", "max_severe": "severe", "min_urisk": "urisk", "no_significant_loss": "significance"}

HEAD = """\
# What a candidate may lose against {baseline} before `riskrank gate --budget` stops it.
# Written from {candidate}, {n_topics} {units}. Delete what you do not want checked; every key is in docs/gate.md.

measures = [{measures}]

# Groups of {units}, each with a line of its own: a table with the columns topic and segment.
# segments = "segments.csv"
# fewest_in_segment = 20    # {fewest}

# How much each {unit} counts, its traffic, say: a table with the columns topic and weight.
# weights = "weights.csv"

# What must not lose anything:
# must_not_break = ["{topic}"]

# without_relevant = "drop"   # {without_relevant}

[limits]
"""

MORE = """\
# alpha = 1                 # {alpha}
# severe_loss = 0.3         # {severe_loss}
# max_loss = 0.5            # {max_loss}
# max_risk = 0.02           # {max_risk}
# min_gain = 0.0            # {min_gain}
# max_worse = 0.01          # {max_worse}
# min_trisk = -2.0          # {min_trisk}
# level = 0.05              # {level}
# strict = true             # {strict}

# Limits of one measure, in place of those above:
# [measure."RR"]
# max_hurt = 0.1

# Limits of one segment:
# [segment.mobile]
# max_hurt = 0.1

# A loss that is known:
# [[accepted]]
# topic = "{topic}"
# reason = "to be judged anew"
# until = {until}
# at_most = 0.2
"""


def budget_template(result: GateResult, *, today: date) -> str:
    """The text of a budget file: the default limits, or what is needed for this result to pass."""
    first = result.comparisons[0]
    scores = first.scores
    measures = dict.fromkeys(each.measure for each in result.comparisons)
    topic = _in_quotes(scores.topics[0])
    head = HEAD.format(
        baseline=one_line(first.baseline), candidate=one_line(first.candidate), n_topics=f"{len(scores.topics):,}",
        unit=scores.unit, units=scores.units, measures=", ".join(f'"{_in_quotes(each)}"' for each in measures),
        topic=topic, fewest=TOP["fewest_in_segment"].meaning, without_relevant=TOP["without_relevant"].meaning,
    )  # fmt: skip
    lines = [_limit_line(_starting_limit(name, result.comparisons)) for name in DEFAULT_LIMITS]
    meanings = {name: key.meaning for name, key in LIMITS.items()}
    return head + "\n".join(lines) + "\n" + MORE.format(**meanings, topic=topic, until=today + timedelta(days=90))


def loosened_limits(result: GateResult) -> list[str]:
    """The limits of the file that are looser than the default ones, and why they have to be."""
    limits = [_starting_limit(name, result.comparisons) for name in DEFAULT_LIMITS]
    return [f"{each.name} = {each.text} ({each.why_looser})" for each in limits if each.why_looser]


class _StartingLimit(NamedTuple):
    """A key, what is written for it, what it is now, and why it is not the default one."""

    name: str
    text: str
    now: str = ""
    why_looser: str = ""


def _starting_limit(name: str, comparisons: Sequence[Comparison]) -> _StartingLimit:
    """The default limit, or one that is wide enough for the present state."""
    usual = DEFAULT_LIMITS[name]
    checks = [check for each in comparisons for check in each.checks if check.name == VALUE_OF.get(name)]
    if isinstance(usual, bool):
        if all(check.holds for check in checks):
            return _StartingLimit(name, "true")
        return _StartingLimit(name, "false", why_looser="default true, but now there is one")
    if not checks:
        return _StartingLimit(name, f"{usual:g}")
    worst = (max if checks[0].is_upper else min)(checks, key=lambda check: check.value)
    wide, now = _wide_enough(worst, float(usual)), f"now {worst.value:.3g}"
    if wide == usual:
        return _StartingLimit(name, f"{wide:g}", now)
    topics, lose = counted(worst.count or 0, comparisons[0].scores.unit), "loses" if worst.count == 1 else "lose"
    broken_by = "" if worst.count is None else f", but {topics} {lose} more than {worst.beyond:g}"
    return _StartingLimit(name, f"{wide:g}", now, f"default {usual:g}{broken_by}")


def _limit_line(limit: _StartingLimit) -> str:
    """A key with its meaning; what is looser than the default is marked."""
    looser = f"LOOSER than the {limit.why_looser}" if limit.why_looser else ""
    notes = [*(each for each in (looser, limit.now) if each), LIMITS[limit.name].meaning]
    return f"{f'{limit.name} = {limit.text}':<27} # {'; '.join(notes)}"


def _wide_enough(check: Check, usual: float) -> float:
    """The usual limit, or the present value rounded so that it is kept."""
    if check.is_upper:
        return max(usual, math.ceil(check.value * 100 - 1e-9) / 100)
    return min(usual, math.floor(check.value * 100 + 1e-9) / 100)


def _in_quotes(text: str) -> str:
    """As TOML has a text between quotes."""
    return one_line(text, limit=200).replace("\\", "\\\\").replace('"', '\\"')
