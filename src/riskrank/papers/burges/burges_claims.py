"""What Burges et al. 2006, §6.3 and §6.4, say of LambdaRank and RankNet, judged by the margins of test queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.burges.burges_nets import CUTOFFS, lead
from riskrank.papers.outcome import Claim
from riskrank.papers.verdicts import all_of, exactly, jackknife_margin, mean_margin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.papers.burges.burges_nets import JudgedNet
    from riskrank.typing import Floats

    Nets = Mapping[str, JudgedNet]

SHOWN = (1, 3, 10)  # cut-offs whose margins are evidence
LARGER = (5, 6, 7, 8, 9, 10)  # "for the larger truncation values"
ON_TOP = 0.005  # nDCG; about the width of a line in the paper's figure


def leads(text: str, nets: Nets, layers: str) -> Claim:
    """LambdaRank is ahead of RankNet at all ten cut-offs."""
    ahead = lead(nets, layers)
    return Claim.estimated(f"{text} ({layers})", all_of(map(mean_margin, ahead)), _said(ahead, SHOWN))


def gap_grows(nets: Nets, layers: str) -> Claim:
    """LambdaRank's lead is larger at the top than over ten ranks."""
    ahead = lead(nets, layers)
    gap = mean_margin(ahead[0] - ahead[-1])
    return Claim.estimated(f"the gap is larger at the top ({layers})", gap, f"nDCG@1 less nDCG@10 {gap.said()}")


def intervals_overlap(nets: Nets) -> Claim:
    """The figure's error bars do, at all cut-offs."""
    first, second = (nets[f"{name}, linear"] for name in ("LambdaRank", "RankNet"))
    free = np.abs(first.means - second.means) - first.margins - second.margins
    text = "the 95 % intervals of the means overlap (linear)"
    widths = f"± {first.margins[0]:.4f} nDCG@1, ± {first.margins[-1]:.4f} nDCG@10"
    evidence = f"at {(free <= 0).sum()} of {len(free)} cut-offs; {widths}"
    return Claim(text, exactly(not (free > 0).any()), evidence)


def is_closer(nets: Nets) -> Claim:
    """Over all cut-offs, the means of two layer nets differ less than those of linear nets."""
    linear, two = lead(nets, "linear"), lead(nets, "two layer")

    def apart(ahead: Floats) -> float:
        return float(np.abs(ahead.mean(axis=1)).mean())

    margin = jackknife_margin(lambda rows: apart(linear[:, rows]) - apart(two[:, rows]), linear.shape[1])
    evidence = f"{apart(two):.4f} apart on average, linear nets {apart(linear):.4f}; difference {margin.said()}"
    return Claim.estimated("the means of two layer nets are even closer", margin, evidence)


def lies_on_top(nets: Nets) -> Claim:
    """Linear LambdaRank and two layer RankNet are the same within a line's width."""
    apart = nets["LambdaRank, linear"].values - nets["RankNet, two layer"].values
    some = apart[[k - 1 for k in LARGER]]
    within = [mean_margin(ON_TOP - side * each) for each in some for side in (1, -1)]
    text = f"linear LambdaRank lies on two layer RankNet from nDCG@{LARGER[0]} on (within {ON_TOP})"
    return Claim.estimated(text, all_of(within), _said(apart, (LARGER[0], LARGER[-1])))


def _said(rows: Floats, cutoffs: Sequence[int]) -> str:
    """The means of some cut-offs' rows, with intervals."""
    return ", ".join(f"{mean_margin(rows[CUTOFFS.index(k)]).said()} nDCG@{k}" for k in cutoffs)
