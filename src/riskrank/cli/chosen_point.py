"""The operating point that a sweep's options ask for, and its ranker."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskrank.cli.added_options import Command, added_options
from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from riskrank.rankers.ranker import Ranker
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep
    from riskrank.typing import OneBaseline

CHOSEN = "chosen"  # the folder of the ranker to deploy, within the sweep's


BudgetOption = Annotated[
    float | None,
    typer.Option(help="Choose the point with the largest gain whose risk is at most this, with a guarantee."),
]
ConfidenceOption = Annotated[float | None, typer.Option(help="How certain the guarantee is to hold (default: 0.9).")]
HurtBeyondOption = Annotated[
    float | None,
    typer.Option(help="The budget is for the share of queries that lose more than this, not for the mean loss."),
]
ViaOption = Annotated[
    str | None, typer.Option(help="What to choose from: mixed (default), alpha, or a predictor of --select.")
]
MaxRiskOption = Annotated[
    float | None, typer.Option(help="Choose the largest gain with at most this risk on validation queries.")
]
OPTIONS = {
    "budget": BudgetOption, "confidence": ConfidenceOption, "hurt_beyond": HurtBeyondOption, "via": ViaOption,
    "max_risk": MaxRiskOption,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PointOptions:
    """A budget with a guarantee, or a limit on the risk seen; neither: no point is chosen."""

    budget: float | None
    max_risk: float | None
    confidence: float | None
    hurt_beyond: float | None
    via: str | None

    def check(
        self,
        rankers: Iterable[Ranker],
        predictors: Sequence[str],
        *,
        has_folds: bool,
        n_baselines: int,
        has_calibration: bool,
        has_valid: bool,
        is_weighted: bool,
    ) -> None:
        """Refuse, before training, what contradicts itself and what the sweep could not give."""
        from riskrank.parameters import between
        from riskrank.tradeoff.risk_control.guarantee import check_guarantee
        from riskrank.tradeoff.sweep_plan import named_predictors

        if self.budget is not None and self.max_risk is not None:
            raise ParameterError("choose by --budget (with a guarantee) or by --max-risk, not by both.")
        if self.max_risk is not None:
            between("max_risk", self.max_risk, 0, math.inf)
        if self.budget is not None:
            check_guarantee(
                self.budget, named_predictors(predictors), **self._of_guarantee, has_folds=has_folds,
                n_baselines=n_baselines, has_calibration=has_calibration, has_valid=has_valid, is_weighted=is_weighted,
                is_valid_fresh=not any(ranker.uses_best_step(True) for ranker in rankers),
            )  # fmt: skip
        elif self._of_guarantee:
            given = ", ".join(f"--{name.replace('_', '-')}" for name in self._of_guarantee)
            raise ParameterError(f"{given} needs a --budget.")

    def choose(self, sweep: Sweep) -> OperatingPoint | None:
        """The point, if one is asked for."""
        if self.budget is not None:
            return sweep.guarantee(self.budget, **self._of_guarantee)
        return None if self.max_risk is None else sweep.choose("risk", max_risk=self.max_risk)

    @property
    def _of_guarantee(self) -> dict[str, Any]:
        """Those options that only a guarantee has, as far as they are given."""
        options = {"hurt_beyond": self.hurt_beyond, "confidence": self.confidence, "via": self.via}
        return {name: value for name, value in options.items() if value is not None}


def takes_point(command: Command) -> Command:
    """Give a command the options that ask for an operating point, as one parameter `wanted`."""
    return added_options(OPTIONS, lambda given: {"wanted": PointOptions(**given)})(command)


def save_chosen(point: OperatingPoint | None, folder: Path, baseline: OneBaseline) -> list[str]:
    """Keep the point's ranker in the sweep's folder, in place of that of a previous call; what is to be said of it."""
    from riskrank.rankers.card import model_folder

    place = folder / CHOSEN
    model_folder(place).clear()
    if point is None or point.index is None:
        return []
    if point.sweep.n_folds > 1:
        return ["Each fold has a model of its own: none of them is put forward."]
    point.ranker(baseline=baseline).save(place)
    return [f"The chosen ranker: {place}"]
