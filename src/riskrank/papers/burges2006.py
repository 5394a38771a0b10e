"""Burges, Ragno, Le: Learning to Rank with Nonsmooth Cost Functions. NIPS 2006."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.objectives.diagnosis import diagnose
from riskrank.objectives.lambda_functions import LAMBDA_FUNCTIONS, loop_work
from riskrank.papers.burges.burges_claims import intervals_overlap, is_closer, leads, lies_on_top
from riskrank.papers.burges.burges_cubic import MEASURED, NEEDS_CUBIC, cubic_draws, cubic_outcome
from riskrank.papers.burges.burges_nets import LAYERS, NetSettings, judged_nets, net_figure, net_tables, sizes_text
from riskrank.papers.burges.burges_speed import FULL_SPEED, SMALL_SPEED, speed_outcome
from riskrank.papers.data_folders import LETOR, MSLR, about_queries, check_letor_parts, joined_parts, letor_parts
from riskrank.papers.outcome import Claim, Outcome, PaperNumber, PaperRow, PaperTable
from riskrank.papers.paper import Equation, Experiment, Paper, Workplace
from riskrank.papers.verdicts import exactly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.papers.burges.burges_nets import Split

FULL, FULL_INTRANET = NetSettings(n_epochs=300), NetSettings(n_epochs=200)
# Small versions have a tenth of the epochs, and as many queries as the rule of docs/papers.md gives.
SMALL, SMALL_INTRANET = NetSettings(n_epochs=30), NetSettings(n_epochs=20)
FEATURES = "features are standardised (mean 0, variance 1); the paper does not say how they are scaled"
GAINS = "gains of labels are 0, 3, 7, 15 and 31, as §6.3 prints them; Eq. 1 as it stands would give 0, 1, 3, 7 and 15"
NEEDS = f"in place of the paper's data {LETOR}; or {MSLR}"
WEB, INTRANET = "searches of a web search engine", "an intranet search"
# §4: which λ-functions come from a cost.

SCORES, LABELS = (0.3, 1.0, -0.5, 0.1, 0.75), (2, 0, 1, 0, 3)
LOOP = ((0.0, 0.5, 0.2, -0.3, 0.1), (0.9, -0.4, 0.3, 0.1, -0.8), (-0.6, 0.2, -0.9, 0.7, 0.5))


def section_4(_work: Workplace) -> Outcome:
    """The Jacobian of Eq. 5 at some scores of five documents, and the work around a loop that changes their ranking."""
    diagnoses = {name: diagnose(function.of(LABELS), SCORES) for name, function in LAMBDA_FUNCTIONS.items()}
    work = {name: loop_work(function.of(LABELS), LOOP, n_steps=1000) for name, function in LAMBDA_FUNCTIONS.items()}
    rows = [
        PaperRow(name, tuple(PaperNumber(v) for v in (d.asymmetry, d.least_eigenvalue, d.total, work[name])))
        for name, d in diagnoses.items()
    ]
    ranked = [name for name, function in LAMBDA_FUNCTIONS.items() if function.weight == "swap"]
    balanced = {name: d for name, d in diagnoses.items() if not LAMBDA_FUNCTIONS[name].diagonal}
    claims = (
        Claim(
            "the Jacobian of each λ-function is symmetric where the ranking stays as it is",
            exactly(all(d.has_cost for d in diagnoses.values())),
            f"largest asymmetry {max(d.asymmetry for d in diagnoses.values()):.1e}",
        ),
        Claim(
            "the λs of a query sum to zero (Newton's third law), unless there is a diagonal term",
            exactly(all(d.is_balanced for d in balanced.values())),
            f"largest sum {max(abs(d.total) for d in balanced.values()):.1e} of the λs' size",
        ),
        Claim(
            "a diagonal term makes the cost strictly convex",
            exactly(
                diagnoses["RankNet with a diagonal term"].least_eigenvalue
                > 1e-3
                > diagnoses["RankNet"].least_eigenvalue
            ),
            f"least eigenvalue {diagnoses['RankNet with a diagonal term'].least_eigenvalue:.3f}, "
            f"without it {diagnoses['RankNet'].least_eigenvalue:.3f}",
        ),
    )
    note = (
        "relative to the largest entry, or to the λs' size; work around the loop is 0 where a cost exists everywhere: "
        f"that of {', '.join(ranked)} is not, since their weights jump where the ranking changes"
    )
    columns = ("asymmetry", "least eigenvalue", "sum", "work around a loop")
    table = PaperTable("λ-functions", "λ-function", columns, tuple(rows), note)
    sign = "the Hessian of the cost is minus the Jacobian of λ, so the diagonal term is −α s, not the printed +α s"
    return Outcome("a query of five documents", tables=(table,), claims=claims, departures=(sign,))


# Figure 1: training speed of RankNet.


def figure_1(work: Workplace) -> Outcome:
    """nDCG against time, and time against documents."""
    if work.data is None:
        data = web_search_data(40, documents_per_query=26, n_features=367)
        return speed_outcome(data, SMALL_SPEED, "synthetic searches")
    data = joined_parts(letor_parts(work.data, NEEDS))
    return speed_outcome(data.take(slice(0, 2 * FULL_SPEED.n_queries)), FULL_SPEED, work.data.name)


# Figure 2, left: cubic polynomial data.

CUBIC_SIZES = (10_000, 5000, 10_000)
SMALL_CUBIC_SIZES = (800, 400, 800)


def figure_2_left(work: Workplace) -> Outcome:
    """nDCG of RankNet and LambdaRank, one and two layers."""
    if work.data is not None:
        return cubic_outcome(work, FULL, CUBIC_SIZES, (FEATURES, GAINS))
    small = f"small: {sizes_text(SMALL_CUBIC_SIZES)} queries (the paper: {sizes_text(CUBIC_SIZES)})"
    return cubic_outcome(work, SMALL, SMALL_CUBIC_SIZES, (FEATURES, GAINS, _small(SMALL, FULL), small))


def _small(settings: NetSettings, full: NetSettings) -> str:
    return f"small: {settings.n_epochs} epochs (the paper: {full.n_epochs})"


# Figure 2, right: intranet search, 400 queries, five folds of 2 + 2 + 1 parts.

AXIS_2_RIGHT = "the paper's curves lie between 0.50 and 0.62"
SMALL_INTRANET_QUERIES = 100
INTRANET_DEPARTURE = "the paper's intranet data (87 features, 59.4 documents per query, 4 labels) are not public"


def figure_2_right(work: Workplace) -> Outcome:
    """Five parts of the reader's data, or of synthetic searches, in turns."""
    parts = intranet_parts(work)
    settings = SMALL_INTRANET if work.data is None else FULL_INTRANET
    nets = judged_nets(turns(parts), settings, folder=work.place("figure-2-right"), verbose=work.verbose)
    claims = (
        leads("LambdaRank has uniformly better mean nDCGs", nets, "linear"),
        intervals_overlap(nets),
        is_closer(nets),
    )
    queries = sum(part.n_queries for part in parts)
    small = (_small(settings, FULL_INTRANET), "small: synthetic searches in place of 400 intranet queries")
    return Outcome(
        f"{queries:,} queries of {_named(work)}, five folds of 2 + 2 + 1 parts",
        net_tables(nets, AXIS_2_RIGHT),
        (net_figure("Figure 2, right: intranet search data", nets, ("linear",)),),
        claims,
        (FEATURES, GAINS, INTRANET_DEPARTURE, *(small if work.data is None else ())),
    )


def intranet_parts(work: Workplace) -> list[RankingData]:
    """Five parts of queries."""
    if work.data is not None:
        return letor_parts(work.data, NEEDS)
    n = SMALL_INTRANET_QUERIES // 5
    data = web_search_data(5 * n, documents_per_query=59, n_features=87)
    return [data.take(slice(k * n, (k + 1) * n)) for k in range(5)]


def turns(parts: Sequence[RankingData]) -> list[Split]:
    """Two parts to train, two to validate and one to test, in turns."""
    orders = [[*parts[k:], *parts[:k]] for k in range(len(parts))]
    return [(joined_parts(order[:2]), joined_parts(order[2:4]), order[4]) for order in orders]


# Figure 3: web search.

AXIS_3 = "the paper's curves lie between 0.60 and 0.72"
SMALL_WEB_QUERIES = 500
ALL_CUTOFFS = "that LambdaRank is significantly better at all ten cut-offs is our reading of the abstract"
WEB_DEPARTURE = "the paper's web data (367 features, 26.1 documents per query) are not public"


def figure_3(work: Workplace) -> Outcome:
    """All queries shuffled, then 2/5 to train, 1/5 to validate and 2/5 to test, as the paper's 10K/5K/10K."""
    split = web_split(work)
    settings = SMALL if work.data is None else FULL
    nets = judged_nets([split], settings, folder=work.place("figure-3"), verbose=work.verbose)
    claims = (
        *(leads("LambdaRank has significantly better accuracy (abstract)", nets, layers) for layers in LAYERS.values()),
        lies_on_top(nets),
    )
    small = (_small(settings, FULL), "small: synthetic searches in place of 25,000 of a search engine")
    return Outcome(
        f"{sizes_text([part.n_queries for part in split])} queries of {_named(work)}",
        net_tables(nets, AXIS_3),
        tuple(
            net_figure(f"Figure 3, {side}: {of} nets", nets, (of,))
            for side, of in zip(("left", "right"), LAYERS.values(), strict=True)
        ),
        claims,
        (FEATURES, GAINS, WEB_DEPARTURE, ALL_CUTOFFS, *(small if work.data is None else ())),
    )


def web_split(work: Workplace) -> Split:
    """Shuffled queries in three parts."""
    if work.data is not None:
        data = joined_parts(letor_parts(work.data, NEEDS))
    else:
        data = web_search_data(SMALL_WEB_QUERIES, documents_per_query=26, n_features=367)
    order = np.random.default_rng(0).permutation(data.n_queries)
    ends = np.round(np.array([0, 0.4, 0.6, 1]) * data.n_queries).astype(int)
    train, valid, test = (data.take(order[a:b]) for a, b in pairwise(ends))
    return train, valid, test


def _named(work: Workplace) -> str:
    return "synthetic searches" if work.data is None else work.data.name


# How long the full protocol takes.


def _seconds_cubic(work: Workplace) -> float:
    return FULL.seconds(CUBIC_SIZES[0], len(cubic_draws(work)))


def _seconds_folds(work: Workplace) -> float:
    return FULL_INTRANET.seconds(_count(work) * 2 // 5, 5)


def _seconds_web(work: Workplace) -> float:
    return FULL.seconds(_count(work) * 2 // 5, 1)


def _seconds_speed(work: Workplace) -> float:
    return 3600.0 if _count(work) else 0.0


def _count(work: Workplace) -> int:
    """About how many queries the reader's data have, which are looked at."""
    return 0 if work.data is None else about_queries(check_letor_parts(work.data, NEEDS))


PAPER = Paper(
    key="burges2006",
    authors="Burges, Ragno, Le",
    title="Learning to Rank with Nonsmooth Cost Functions",
    venue="NIPS 2006",
    experiments=(
        Experiment("section-4", "Which λ-functions come from a cost", section_4),
        Experiment(
            "figure-1", "RankNet's training pair by pair (V1) and factored (V2)", figure_1, NEEDS, _seconds_speed, WEB
        ),
        Experiment(
            "figure-2-left",
            "RankNet and LambdaRank on cubic polynomials",
            figure_2_left,
            NEEDS_CUBIC,
            _seconds_cubic,
            measured=MEASURED,
        ),
        Experiment(
            "figure-2-right",
            "RankNet and LambdaRank on a small collection",
            figure_2_right,
            NEEDS,
            _seconds_folds,
            INTRANET,
        ),
        Experiment("figure-3", "RankNet and LambdaRank on web search", figure_3, NEEDS, _seconds_web, WEB),
    ),
    equations=(
        Equation("1", "nDCG", "riskrank.measures.standard.ndcg:nDCG"),
        Equation(
            "2", "what moves a document near the top weighs more", "riskrank.objectives.lambda_functions:swap_weights"
        ),
        Equation(
            "3", "λ, minus the gradient of an implicit cost", "riskrank.objectives.lambda_functions:LambdaFunction"
        ),
        Equation("4", "λ as a 1-form: its work along a way", "riskrank.objectives.lambda_functions:loop_work"),
        Equation("5", "the symmetry of the Jacobian", "riskrank.objectives.diagnosis:diagnose"),
        Equation(
            "6", "the gradient as a sum over pairs (V1)", "riskrank.rankers.nets.pairwise_descent:PairwiseDescent"
        ),
        Equation("7", "the gradient as a sum over documents (V2)", "riskrank.rankers.nets.descent:Descent"),
        Equation("8", "RankNet's cost of a pair", "riskrank.kernels.ranknet:ranknet_costs"),
        Equation("9", "LambdaRank's λ of a pair", "riskrank.objectives.gain:Gain"),
    ),
)
