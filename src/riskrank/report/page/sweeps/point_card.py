"""The card of an operating point: what it is, what is guaranteed, what it does, and the code that gives its ranker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from riskrank.data.feature import feature_of
from riskrank.errors import one_line
from riskrank.report.findings.digits import percent, risk_interval_text, risk_text
from riskrank.report.findings.sweeps.budget_fit import controlled, model_losses, point_loss, tested_queries
from riskrank.report.findings.sweeps.model_words import model_name
from riskrank.report.findings.sweeps.shown_gains import LEVEL, expected_changes, has_gain, is_cheaper, is_significant
from riskrank.report.findings.words import short_name
from riskrank.report.page.plots.verdict_marks import sign_class
from riskrank.report.page.sweeps.changes_part import shown_model
from riskrank.risk.inference.unseen_losses import risk_interval
from riskrank.tradeoff.operating_point import OperatingPoint
from riskrank.tradeoff.risk_control.guarantee import CONFIDENCE, VIA

if TYPE_CHECKING:
    from riskrank.report.findings.digits import Digits
    from riskrank.tradeoff.risk_control.control import Method
    from riskrank.tradeoff.sweep import Sweep

NOT_GUARANTEED = "none; these are measurements"


class CardLine(NamedTuple):
    """A line of the card; `kind` colours its value."""

    title: str
    value: str
    beside: str = ""
    kind: str = ""


class Share(NamedTuple):
    """A bar: what is kept of the reference model's gain or risk."""

    kind: str
    text: str
    width: float
    note: str


@dataclass(frozen=True)
class PointCard:
    """From top to bottom."""

    kind: str
    title: str
    lines: list[CardLine]
    shares: list[Share]
    code: str
    why: str = ""  # a model leads that was not chosen


def point_card(sweep: Sweep, point: OperatingPoint | None, digits: Digits) -> PointCard:
    """Of the point, or of the model that is looked at where none was chosen."""
    if point is not None and point.index is None:
        return PointCard("Operating point", point.label, [*_tested(point), *_nearest(point)], [], "")
    kind, why = "Operating point", ""
    if point is None:
        index = shown_model(sweep, None).index
        why = _why_it_leads(sweep, index)
        kind = "The only model" if len(sweep) == 1 else "The model that leads"
        point = OperatingPoint(sweep, index, why="").measured()
    changes = expected_changes(point)
    gain, limits = digits.gain(point.gain), risk_interval(sweep.test.mirror(changes), 1 - LEVEL)
    beyond = "" if point.hurt_beyond is None else f" by more than {point.hurt_beyond:g}"
    lines = [
        *(_tested(point) or [CardLine("Guarantee", NOT_GUARANTEED)]),
        *_left_out(point),
        CardLine("Gain, test", gain, kind=sign_class(gain) if is_significant(sweep.test, changes) else "open"),
        CardLine("Mean loss, test", risk_text(point.risk), risk_interval_text(limits)),
        CardLine(f"Queries hurt{beyond}", f"{point.hurt:.1%}"),
    ]
    code = ranker_code(point) if point.gain > 0 else ""
    return PointCard(kind, point.label, lines, _shares(sweep, point), code, why)


def _why_it_leads(sweep: Sweep, model: int) -> str:
    reference = sweep.reference_model
    if model == reference or not has_gain(sweep):
        return ""
    if not is_cheaper(sweep.test, model, reference):
        return ""
    name = model_name(sweep, reference)
    return f"The last model whose risk is shown to be lower than that of {name}, and whose gain cannot be told from it"


def _tested(point: OperatingPoint) -> list[CardLine]:
    """What is guaranteed, or was to be."""
    control = point.control
    if control is None:
        return []
    shown = "Guarantee" if point.index is not None else "Wanted"
    lines = [
        CardLine(shown, f"{controlled(point)} ≤ {control.budget:g}", f"{percent(control.confidence)} confidence"),
        CardLine("Tested on", tested_queries(point)),
    ]
    if point.index is None:
        return lines
    lost = point_loss(point)
    title = "Mean loss there" if point.hurt_beyond is None else "Share there"
    return [*lines, CardLine(title, risk_text(lost) if point.hurt_beyond is None else f"{lost:.1%}")]


def _left_out(point: OperatingPoint) -> list[CardLine]:
    """What ranks the queries that the model is not used on."""
    if point.is_used_always:
        return []
    others = "Other queries" if point.predictor is not None else f"Other {1 - point.probability:.0%}, at random"
    return [CardLine(others, short_name(point.sweep.baseline))]


def _nearest(point: OperatingPoint) -> list[CardLine]:
    """The model that misses the budget by least."""
    if point.control is None or point.control.is_safe.any():
        return []
    losses = model_losses(point)
    nearest = losses.index(min(losses))
    return [CardLine("Nearest model", model_name(point.sweep, nearest), f"{losses[nearest]:.4f} there")]


def _shares(sweep: Sweep, point: OperatingPoint) -> list[Share]:
    """Nothing where the reference model is not shown to gain, or is the point."""
    test, full = sweep.test, sweep.reference_model
    if (point.index == full and point.is_used_always) or not has_gain(sweep):
        return []
    name = model_name(sweep, full)
    shares = [("gain", point.gain / float(test.gain[full]))]
    if test.risk[full] > 0:
        shares.append(("risk", point.risk / float(test.risk[full])))
    return [
        Share(
            "helped" if what == "gain" else "hurt",
            f"{share:.0%}".replace("-", "−"),
            round(100 * min(max(share, 0.0), 1.0), 1),
            f"of the {what} of {name}",
        )
        for what, share in shares
    ]


def ranker_code(point: OperatingPoint) -> str:
    """A line of Python that gives the ranker of a point."""
    if point.index is None:
        return ""
    if point.is_used_always:
        return f"sweep.model({point.index})"
    given = "" if feature_of(point.sweep.baseline) is not None and point.sweep.n_baselines == 1 else "baseline=…"
    return f"{_asked(point)}.ranker({given})"


def _asked(point: OperatingPoint) -> str:
    """The call that gives the point, if asking again does; else the point by a name."""
    control = point.control
    if control is None:
        return "point"
    options = {
        "confidence": None if control.confidence == CONFIDENCE else control.confidence,
        "hurt_beyond": point.hurt_beyond,
        "via": point.predictor,
        "method": None if control.method == "betting" else control.method,
    }
    again = point.sweep.guarantee(
        control.budget, confidence=control.confidence, hurt_beyond=point.hurt_beyond, via=point.predictor or VIA,
        method=cast("Method", control.method),
    )  # fmt: skip
    if (again.index, again.probability, again.threshold) != (point.index, point.probability, point.threshold):
        return "point"
    said = [f"{control.budget:g}", *(f"{name}={value!r}" for name, value in options.items() if value is not None)]
    return one_line(f"sweep.guarantee({', '.join(said)})", limit=200)
