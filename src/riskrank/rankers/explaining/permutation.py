"""Permutation importance: how much worse a model gets, in effectiveness or in risk, without what a feature tells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.feature import feature_of
from riskrank.errors import ParameterError, counted
from riskrank.measures import parse_measure
from riskrank.measures.evaluate import evaluate
from riskrank.parameters import one_of, whole
from riskrank.rankers.fitting.inputs import columns_of_model, training_data
from riskrank.risk.combined_baseline import within_topic
from riskrank.risk.paired import checked_alpha
from riskrank.risk.quantities import quantities
from riskrank.typing import QuantityName
from riskrank.weights import weighted_mean

if TYPE_CHECKING:
    import polars as pl

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, Booleans, Floats, Integers, LabelledLike, MeasureLike, Singles

USUAL_ALPHA = 1.0  # for models whose objective has none


@dataclass(frozen=True, eq=False, repr=False)
class PermutationImportance:
    """How much worse each feature's permutation makes a model: in gain, reward or URisk, what is lost; in risk, what
    is added. A feature below 0 does harm: in risk, it causes losses.

    `intact` is the quantity with all features as they are (gain without a baseline is the mean of the measure), and
    `values` (features × repeats) hold what each permutation did.
    """

    target: QuantityName
    measure: str
    baselines: tuple[str, ...]
    alpha: float
    columns: FeatureColumns
    intact: float
    values: Floats

    @property
    def mean(self) -> Floats:
        """Over the repeats, for each feature."""
        return np.asarray(self.values.mean(axis=1))

    @property
    def spread(self) -> Floats:
        """The standard deviation over the repeats; 0 where there is one."""
        n_repeats = self.values.shape[1]
        return np.asarray(self.values.std(axis=1, ddof=1)) if n_repeats > 1 else np.zeros(len(self.values))

    @property
    def order(self) -> Integers:
        """The features from the most important one to the most harmful."""
        return np.argsort(-self.mean, kind="stable")

    @property
    def frame(self) -> pl.DataFrame:
        """A row for each feature, in this order."""
        import polars as pl

        keys, order = self.columns.keys, self.order
        rows = {"feature": [keys[i] for i in order], "mean": self.mean[order], "spread": self.spread[order]}
        return pl.DataFrame(rows)

    def __repr__(self) -> str:
        against = f" against {', '.join(self.baselines)}" if self.baselines else ""
        repeats = counted(self.values.shape[1], "repeat")
        return f"PermutationImportance in {self.target} of {self.measure}{against}, {repeats}\n{self.frame}"


def permutation_importance(
    ranker: Ranker,
    data: LabelledLike,
    *,
    measure: MeasureLike | None,
    baseline: BaselineLike | None,
    target: QuantityName,
    alpha: float | None,
    repeats: int,
    random_state: int,
) -> PermutationImportance:
    """What `Ranker.permutation_importance` gives."""
    one_of("target", target, get_args(QuantityName))
    known = all_importances(
        ranker, data, measure=measure, baseline=baseline, alpha=alpha, repeats=repeats, random_state=random_state
    )
    if target not in known:
        raise ParameterError(f"{target} compares with a baseline: pass baseline=.")
    return known[target]


def all_importances(
    ranker: Ranker,
    data: LabelledLike,
    *,
    measure: MeasureLike | None = None,
    baseline: BaselineLike | None = None,
    alpha: float | None = None,
    repeats: int = 5,
    random_state: int = 0,
) -> dict[QuantityName, PermutationImportance]:
    """For every target, from the same permutations; gain alone where there is no baseline."""
    whole("repeats", repeats, 1)
    whole("random_state", random_state, 0)
    ranker.check_fitted()
    objective = ranker.training_objective
    weight = checked_alpha((objective.alpha if objective.alpha > 0 else USUAL_ALPHA) if alpha is None else alpha)
    effectiveness = parse_measure(objective.reported_measure if measure is None else measure)
    trial = _Trial.of(ranker, data, baseline)
    systems = dict(zip(trial.baselines, trial.baseline_scores, strict=True))
    others = evaluate(trial.data, systems, effectiveness).matrix if systems else None
    reference = None if others is None else within_topic(others, "mean")

    def worth(scores: list[Floats]) -> list[dict[QuantityName, float]]:
        rows = evaluate(trial.data, {str(i): each for i, each in enumerate(scores)}, effectiveness).matrix
        weights = trial.data.query_weights
        if reference is None:
            return [{"gain": float(weighted_mean(row, weights))} for row in rows]
        return [quantities(row, reference, alpha=weight, weights=weights) for row in rows]

    intact = worth([trial.scores(trial.data.features)])[0]
    values = {target: np.zeros((trial.data.n_features, repeats)) for target in intact}
    for column in np.flatnonzero(_used(ranker)).tolist():
        seeds = [(random_state, column, i) for i in range(repeats)]
        for i, after in enumerate(worth(trial.permuted_scores(column, seeds))):
            for target, value in after.items():
                values[target][column, i] = intact[target] - value
    return {
        target: PermutationImportance(
            target,
            str(effectiveness),
            tuple(trial.baselines),
            weight,
            ranker.columns_,
            -intact[target] if target == "risk" else intact[target],
            values[target],
        )
        for target in intact
    }


def own_baseline(ranker: Ranker) -> BaselineLike | None:
    """The baselines that a model was trained against, where they are features, which all data have."""
    features = [feature_of(name) for name in ranker.card_["baselines"]]
    return [feature for feature in features if feature is not None] if features and None not in features else None


@dataclass(frozen=True, eq=False)
class _Trial:
    """A ranker on labelled data, with the columns that it knows in its order; baselines see the data as they are."""

    ranker: Ranker
    data: RankingData
    baselines: list[str]
    baseline_scores: list[Floats]
    start: Floats | None  # scores that the model starts from and that are no feature

    @classmethod
    def of(cls, ranker: Ranker, given: LabelledLike, baseline: BaselineLike | None) -> _Trial:
        data = training_data(given)
        others = baseline_scores(
            own_baseline(ranker) if baseline is None else baseline, data, in_source_order=given is not data
        )
        starts = ranker.start_scale_ is not None and feature_of(ranker.card_["baselines"][0]) is None
        if starts and not others:
            raise ParameterError(
                f"this model starts from its baseline ({ranker.card_['baselines'][0]}): pass baseline= for these "
                "documents."
            )
        features = columns_of_model(data.features, data.columns, ranker.columns_)
        columns = ranker.columns_
        known = replace(
            data, features=features, feature_names=columns.names, first_feature=columns.first,
            categories=columns.categories,
        )  # fmt: skip
        names = [other.name for other in others]
        return cls(ranker, known, names, [other.scores for other in others], others[0].scores if starts else None)

    def scores(self, features: Singles) -> Floats:
        return self.ranker.predict(replace(self.data, features=features), baseline=self.start)

    def permuted_scores(self, column: int, seeds: list[tuple[int, int, int]]) -> list[Floats]:
        """With a column in other orders, each the same for its seed whatever else is permuted."""
        features = self.data.features.copy()
        scores = []
        for seed in seeds:
            features[:, column] = np.random.default_rng(seed).permutation(self.data.features[:, column])
            scores.append(self.scores(features))
        return scores


def _used(ranker: Ranker) -> Booleans:
    """Features that the model looks at; permuting others changes nothing."""
    kinds = ranker.importances()
    if not kinds:
        return np.ones(ranker.n_features_in_, bool)
    used = np.any([values != 0 for values in kinds.values()], axis=0)
    start = None if ranker.start_scale_ is None else feature_of(ranker.card_["baselines"][0])
    if start is not None:
        used[ranker.columns_.position(start.key)] = True
    return np.asarray(used)
