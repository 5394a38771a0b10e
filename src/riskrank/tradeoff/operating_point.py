"""An operating point: a model of a sweep, and how often it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.errors import ParameterError, listing, quoted
from riskrank.parameters import is_number
from riskrank.tradeoff.choice import gain_parity, largest_area, largest_gain, nearest_reranking
from riskrank.tradeoff.curves import area
from riskrank.tradeoff.risk_control.control import Control, control_risk
from riskrank.tradeoff.sweep import uses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riskrank.rankers.selective.query_predictors import QueryPredictor
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import Floats


RULES = ("risk", "area", "parity", "reranking")
NAMES = {"binomial": "exact binomial"}
PROBABILITIES = np.arange(1, 21) / 20


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """What was chosen, why, and what it does on the test queries.

    `index` is the model's place in the sweep, None to keep the baseline. `probability`: on what share of queries a coin
    uses it (1: on all of them); or `predictor`, `threshold`, `apply`: on which queries. `gain`, `risk` and `hurt` (the
    share of queries hurt, beyond the limit if there is one) are those of the test queries. `control` has the tests
    behind a guarantee.
    """

    sweep: Sweep
    index: int | None
    why: str
    probability: float = 1.0
    predictor: str | None = None
    threshold: float | None = None
    apply: str = "above"
    gain: float = 0.0
    risk: float = 0.0
    hurt: float = 0.0
    control: Control | None = None

    @property
    def label(self) -> str:
        """In words."""
        if self.index is None:
            return f"keep the baseline, {self.sweep.baseline}"
        label = self.sweep.settings[self.index].label
        if self.predictor is not None:
            return f"{label}, on queries with {self.predictor} {self.apply} {self.threshold:.4g}"
        return label if self.probability == 1 else f"{label}, on {self.probability:.0%} of queries"

    def ranker(self, fold: int = 1, *, baseline: Any = None) -> Any:
        """The ranker to deploy: the model itself, or a `Mixed` or `Selective` one around it."""
        from riskrank.rankers.selective.mixed import Mixed
        from riskrank.rankers.selective.selective import Selective

        if self.index is None:
            raise ParameterError("the baseline is kept: there is no model to deploy.")
        model = self.sweep.model(self.index, fold)
        if self.probability == 1 and self.predictor is None:
            return model
        name = self.sweep.baseline
        if baseline is None and self.sweep.n_baselines == 1 and name.startswith("feature:"):
            baseline = name
        if baseline is None:
            raise ParameterError(f"a mixed ranker needs its baseline ({name}): pass baseline=.")
        if self.predictor is not None:
            assert self.threshold is not None  # noqa: S101 (one comes with the other)
            return Selective.of(
                model,
                baseline=baseline,
                predictor=self.sweep.predictors[self.predictor],
                threshold=self.threshold,
                apply=self.apply,
            )
        return Mixed.of(model, baseline=baseline, probability=self.probability)

    def __repr__(self) -> str:
        return f"{self.label}. {self.why}"


def choose(
    sweep: Sweep,
    rule: str = "risk",
    *,
    max_risk: float | None = None,
    series: str | None = None,
    reference: Any = None,
    cost: str = "reranked",
) -> OperatingPoint:
    """A model by a rule, seen on validation queries (on test queries where there are none).

    ``"risk"``: the largest gain with risk up to `max_risk`. ``"area"``: the largest area under gain against `cost`
    (``"reranked"`` or ``"risk"``) when mixed with the baseline and the gain-only model. ``"parity"``: nearest in gain
    to a `reference` (a number, or the place of another model), with the least risk. ``"reranking"``: nearest in the
    share of queries re-ranked, with the most gain. `series`: only models of this series.
    """
    judged, where = (sweep.valid, "validation") if sweep.valid is not None else (sweep.test, "test")
    candidates = list(range(len(sweep))) if series is None else sweep.of(series)
    gain, risk, reranked = judged.gain, judged.risk, judged.reranked
    if rule == "risk":
        if max_risk is None or not is_number(max_risk) or max_risk < 0:
            raise ParameterError(f"the rule risk needs max_risk, a number from 0, got {max_risk!r}.")
        found = largest_gain(gain[candidates], risk[candidates], max_risk=max_risk)
        if found is not None and gain[candidates[found]] <= 0:
            found = None
        if found is None:
            return _point(sweep, None, f"No model gains anything with a risk up to {max_risk:g} on {where} queries.")
        why = f"It gains most of those with a risk up to {max_risk:g} on {where} queries."
        return _point(sweep, candidates[found], why)
    if rule == "area":
        if cost not in ("risk", "reranked"):
            raise ParameterError(f"cost must be one of risk, reranked, got {cost!r}.")
        spent = getattr(judged, cost)
        full = {"full_cost": float(spent[sweep.full]), "full_gain": float(gain[sweep.full])}
        if sweep.full in candidates:
            found = largest_area(gain[candidates], spent[candidates], full=candidates.index(sweep.full))
        else:
            areas = [area([spent[i]], [gain[i]], **full) for i in candidates]
            ranked = sorted(range(len(candidates)), key=lambda k: (round(areas[k], 12), gain[candidates[k]]))
            found = None if np.isnan(areas).any() else ranked[-1]
        if found is None:
            return _point(sweep, None, f"The gain-only model gains nothing on {where} queries.")
        return _point(
            sweep, candidates[found], f"It has the largest area under gain against {cost} on {where} queries."
        )
    if rule not in ("parity", "reranking"):
        raise ParameterError(f"rule must be one of {', '.join(RULES)}, got {rule!r}.")
    if reference is None:
        raise ParameterError(f"the rule {rule} needs a reference: a number, or the place of another model.")
    values = gain if rule == "parity" else reranked
    is_place = isinstance(reference, int | np.integer) and not isinstance(reference, bool)
    if not is_number(reference) or (is_place and not 0 <= reference < len(sweep)):
        raise ParameterError(f"reference must be a number, or a place from 0 to {len(sweep) - 1}, got {reference!r}.")
    wanted = float(values[reference]) if is_place else float(reference)
    if rule == "parity":
        found = gain_parity(gain[candidates], risk[candidates], reference=wanted)
        return _point(sweep, candidates[found], f"Its gain is nearest to {wanted:.4f} on {where} queries.")
    found = nearest_reranking(gain[candidates], reranked[candidates], reference=wanted)
    return _point(sweep, candidates[found], f"It re-ranks nearly {wanted:.1%} of {where} queries.")


def guarantee(
    sweep: Sweep,
    budget: float,
    *,
    confidence: float = 0.9,
    hurt_beyond: float | None = None,
    via: str = "mixed",
    series: str | None = None,
    method: Any = "betting",
    random_state: int = 0,
) -> OperatingPoint:
    """The point with the largest gain whose true risk is at most `budget`, with a probability of `confidence`.

    Risk is the expected loss of a query or, with `hurt_beyond`, the share of queries that lose more than that. `via`:
    ``"mixed"`` (of each series, the most cautious model on 5 % to 100 % of queries, then the bolder ones), ``"alpha"``
    (models used always), or the name of a predictor (the gain-only model, selectively). The queries are
    `calibration`, or the validation queries if no model was chosen by them. When nothing qualifies, the baseline is
    kept.
    """
    check_request(
        budget, confidence, hurt_beyond, via, sweep.predictors, n_folds=sweep.n_folds, n_baselines=sweep.n_baselines,
        has_calibration=sweep.calibration is not None, has_valid=sweep.valid is not None,
        is_valid_fresh=sweep.is_valid_fresh, thresholds=sweep.thresholds,
    )  # fmt: skip
    judged = sweep.valid if sweep.calibration is None else sweep.calibration
    assert judged is not None  # noqa: S101 (checked just now)
    losses, gains = judged.losses(hurt_beyond), judged.gain
    chosen = list(range(len(sweep))) if series is None else sweep.of(series)
    points: list[tuple[int, float, float | None]] = []  # model, probability, threshold
    rows: list[Floats] = []
    values: list[float] = []
    chains: list[list[int]] = []
    sides: list[str] = []
    if via in ("mixed", "alpha"):
        # Each series is a sequence: the model with the largest value is the safest.
        for name in dict.fromkeys(sweep.settings[i].series for i in chosen):
            safest, *bolder = reversed(sweep.of(name))
            shares = PROBABILITIES.tolist() if via == "mixed" else [1.0]
            path = [*((safest, p) for p in shares), *((i, 1.0) for i in bolder)]
            chains.append(list(range(len(points), len(points) + len(path))))
            for i, p in path:
                points.append((i, p, None))
                sides.append("above")
                rows.append(p * losses[i])
                values.append(p * float(gains[i]))
    else:
        if series is not None:
            raise ParameterError("selective use is of the gain-only model: leave series out.")
        # The side may be chosen beforehand by queries that do not test it; else each side is a sequence of its own.
        is_known = sweep.calibration is not None and sweep.valid is not None
        delta, limits = judged.delta[sweep.full], sweep.thresholds[via]
        for side in (sweep.selective(via)["apply"],) if is_known else ("above", "below"):
            order = np.argsort(-limits if side == "above" else limits, kind="stable")
            use = uses(judged.predictors[via], limits[order], side)
            chains.append(list(range(len(points), len(points) + len(order))))
            for k, limit in enumerate(limits[order].tolist()):
                points.append((sweep.full, 1.0, limit))
                sides.append(side)
                rows.append(use[k] * losses[sweep.full])
                values.append(float((use[k] * delta).mean()))
    if hurt_beyond is not None:
        method = "binomial"  # a query is hurt or not
    control = control_risk(
        np.array(rows),
        budget=budget,
        confidence=confidence,
        sequences=chains,
        largest=[p for _, p, _ in points],
        method=method,
        random_state=random_state,
    )
    what = "expected loss" if hurt_beyond is None else f"share of queries that lose more than {hurt_beyond:g}"
    claim = f"With a confidence of {confidence:.0%} its {what} is at most {budget:g}"
    tested = f"tested on {control.n_queries:,} held-out queries ({NAMES.get(control.method, control.method)})"
    best = control.best(values)
    if best is None:
        reason = "no point could be shown to be safe" if not control.is_safe.any() else "no safe point gains anything"
        why = f"The {what} should be at most {budget:g} with a confidence of {confidence:.0%}: {reason}, {tested}."
        return _point(sweep, None, why, control=control, hurt_beyond=hurt_beyond)
    index, probability, threshold = points[best]
    return _point(
        sweep, index, f"{claim}, {tested}.", probability=probability, threshold=threshold,
        predictor=None if threshold is None else via, side=sides[best], control=control, hurt_beyond=hurt_beyond,
    )  # fmt: skip


def check_request(
    budget: float,
    confidence: float,
    hurt_beyond: float | None,
    via: str,
    predictors: Mapping[str, QueryPredictor],
    *,
    n_folds: int,
    n_baselines: int,
    has_calibration: bool,
    has_valid: bool,
    is_valid_fresh: bool,
    thresholds: Mapping[str, Any] | None = None,
) -> None:
    """Refuse a guarantee that a sweep cannot give; all of it is known before the sweep is trained."""
    if n_folds > 1:
        raise ParameterError("a guarantee is for one model: sweep with a fixed split, not with folds.")
    control_risk([[0.0]], budget=budget, confidence=confidence)
    if hurt_beyond is not None and not (is_number(hurt_beyond) and hurt_beyond >= 0):
        raise ParameterError(f"hurt_beyond must be a number from 0, got {hurt_beyond!r}.")
    known = ["mixed", "alpha", *(predictors if thresholds is None else thresholds)]
    if via not in known:
        raise ParameterError(f"via must be one of {listing(known)}, got {quoted(via)}.")
    if n_baselines > 1 and via != "alpha":
        raise ParameterError(
            "mixed and selective use need one baseline, which ranks the other queries: choose via alpha."
        )
    if has_calibration:
        return
    if not has_valid:
        raise ParameterError("a guarantee needs queries that no model was trained on: pass calibration= or valid=.")
    if not is_valid_fresh:
        raise ParameterError(
            "a guarantee needs fresh queries: here models were chosen by the validation queries. "
            "Sweep with calibration=, or without early stopping."
        )
    if via in predictors and predictors[via].is_learned:
        raise ParameterError(f"{via} has learned from the validation queries: sweep with calibration=.")


def _point(
    sweep: Sweep,
    index: int | None,
    why: str,
    *,
    probability: float = 1.0,
    threshold: float | None = None,
    predictor: str | None = None,
    side: str = "above",
    control: Control | None = None,
    hurt_beyond: float | None = None,
) -> OperatingPoint:
    """With what it does on the test queries, where a coin counts by its probability."""
    if index is None:
        return OperatingPoint(sweep, None, why, control=control)
    test = sweep.test
    delta = test.delta[index]
    weight: Any = probability
    if predictor is not None and threshold is not None:
        weight = uses(test.predictors[predictor], np.array([threshold]), side)[0]
    hurt = test.losses(0.0 if hurt_beyond is None else hurt_beyond)[index]
    return OperatingPoint(
        sweep,
        index,
        why,
        probability=probability,
        predictor=predictor,
        threshold=threshold,
        apply=side,
        gain=float((weight * delta).mean()),
        risk=float((weight * np.maximum(0.0, -delta)).mean()),
        hurt=float((weight * hurt).mean()),
        control=control,
    )
