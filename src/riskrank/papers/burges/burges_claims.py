"""What Burges et al. 2006 (abstract, §6.3, §6.4) say of LambdaRank and RankNet, judged by margins of test queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.papers.burges.burges_nets import CUTOFFS, lead
from riskrank.papers.outcome import Claim
from riskrank.papers.verdicts import all_of, any_of, exactly, mean_margin, repeat_margin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from riskrank.papers.burges.burges_nets import JudgedNet
    from riskrank.papers.verdicts import Margin
    from riskrank.typing import Floats

    Nets = Mapping[str, JudgedNet]

SHOWN = (1, 3, 10)  # cut-offs whose margins are evidence
LARGER = (5, 6, 7, 8, 9, 10)  # "for the larger truncation values"
ON_TOP = 0.005  # nDCG; about the width of a line in the paper's figure


def leads(text: str, nets: Nets, layers: str) -> Claim:
    """LambdaRank is ahead of RankNet at all ten cut-offs."""
    ahead = lead(nets, layers)
    return Claim.estimated(f"{text} ({layers})", all_of(map(mean_margin, ahead)), _said(ahead, SHOWN))


def leads_over_draws(text: str, nets: Nets, layers: str) -> Claim:
    """LambdaRank is ahead of RankNet on average over cut-offs, which is one number of each draw.

    Few draws could not bear to be judged at each cut-off: what fails would have to do so at a tenth of the level.
    """
    ahead = lead(nets, layers).mean(axis=0)
    margin = repeat_margin(ahead)
    each = ", ".join(f"{value:+.4f}" for value in ahead)
    return Claim.estimated(
        f"{text} ({layers})", margin, f"{margin.said()} on average over cut-offs, of {len(ahead)} draws {each}"
    )


def gap_grows(nets: Nets, layers: str, of: Callable[[Floats], Margin] = mean_margin) -> Claim:
    """LambdaRank leads at the top, and by more than over ten ranks."""
    ahead = lead(nets, layers)
    first, gap = of(ahead[0]), of(ahead[0] - ahead[-1])
    return Claim.estimated(
        f"the gap is larger at the top ({layers})",
        all_of([first, gap]),
        f"ahead by {first.said()} nDCG@1, which less that of nDCG@10 is {gap.said()}",
    )


def intervals_overlap(nets: Nets) -> Claim:
    """The figure's error bars do, at all cut-offs."""
    first, second = (nets[f"{name}, linear"] for name in ("LambdaRank", "RankNet"))
    free = np.abs(first.means - second.means) - first.margins - second.margins
    text = "the 95 % intervals of the means overlap (linear)"
    widths = f"± {first.margins[0]:.4f} nDCG@1, ± {first.margins[-1]:.4f} nDCG@10"
    evidence = f"at {(free <= 0).sum()} of {len(free)} cut-offs; {widths}"
    return Claim(text, exactly(bool((free <= 0).all())), f"{evidence}; fewer queries make it easier")


def is_closer(nets: Nets) -> Claim:
    """Over all cut-offs together, the means of two layer nets differ less than those of linear nets.

    |b| < |a| is that a − b and a + b are both above 0, or both below: means, which sizes of means are not.
    """
    a, b = (lead(nets, layers).mean(axis=0) for layers in ("linear", "two layer"))
    closer = any_of(all_of([mean_margin(sign * (a - b)), mean_margin(sign * (a + b))]) for sign in (1, -1))
    evidence = f"LambdaRank is ahead by {mean_margin(b).said()}, of linear nets by {mean_margin(a).said()}"
    return Claim.estimated(
        "the means of two layer nets are even closer", closer, f"{evidence}, on average over cut-offs"
    )


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
