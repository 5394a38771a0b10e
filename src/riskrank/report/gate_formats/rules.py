"""What the checks of a gate mean, for formats that explain their rules."""

from __future__ import annotations

from typing import NamedTuple

PREFIX = "riskrank-"


class Rule(NamedTuple):
    """A check: its title, what it means in a sentence, and what to do when it is broken."""

    title: str
    meaning: str
    advice: str


LOOK = "Look at both rankings of the worst ones: riskrank gate … --html gate.html."
WIDEN = "If the losses are worth it, say so in the budget: a wider limit, or an accepted loss with its reason."

RULES = {
    "missing": Rule(
        "Topics without results",
        "The candidate has no results for topics that were judged.",
        "Complete its run; a system that answers nothing must not pass for one that answers well.",
    ),
    "hurt": Rule(
        "Too many topics are hurt",
        "The share of topics that lose more than the tolerance is over its limit (max_hurt).",
        f"{LOOK} {WIDEN}",
    ),
    "severe": Rule(
        "Too many topics lose much",
        "The share of topics that lose more than severe_loss is over its limit (max_severe).",
        f"{LOOK} {WIDEN}",
    ),
    "loss": Rule(
        "A topic loses too much",
        "A single topic loses more than the limit (max_loss).",
        f"{LOOK} {WIDEN}",
    ),
    "risk": Rule(
        "The mean loss is too large",
        "The mean of all losses, wins counting nothing, is over its limit (max_risk).",
        "Use the candidate on fewer queries, or train one that risks less: riskrank sweep.",
    ),
    "urisk": Rule(
        "URisk is too low",
        "The mean change, losses weighing 1 + alpha, is below its limit (min_urisk).",
        "Use the candidate on fewer queries, or train one that risks less: riskrank sweep.",
    ),
    "trisk": Rule(
        "TRisk is too low",
        "URisk over its standard error is below its limit (min_trisk).",
        "Use the candidate on fewer queries, or train one that risks less: riskrank sweep.",
    ),
    "significance": Rule(
        "A significant loss",
        "URisk is below 0 by more than chance explains (no_significant_loss).",
        "The candidate is worse on other queries like these, too: do not use it as it is.",
    ),
    "gain": Rule(
        "The gain is too small",
        "The mean change is below its limit (min_gain).",
        "It may not be worth its risk; judge more topics if the interval is wide.",
    ),
    "worse": Rule(
        "It may be worse",
        "The candidate is not shown to be at most max_worse worse than its baseline, with the confidence asked for.",
        "Judge more topics: the output of the gate says about how many it takes.",
    ),
    "protected": Rule(
        "A topic that must not break is hurt",
        "A topic of must_not_break loses something.",
        "Mend it, or take it off the list if it no longer matters.",
    ),
    "topic": Rule(
        "A topic is hurt",
        "The topic loses, and is one of those that break a limit.",
        "Look at both its rankings: riskrank gate … --html gate.html. Judge documents that nobody judged.",
    ),
}
