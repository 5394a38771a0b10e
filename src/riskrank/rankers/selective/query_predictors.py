"""Numbers that tell, before judging, how a query may fare with a model: where to use it, and where not.

Predictors of query performance after Wang et al. 2012, §5.3: the largest text score, the smallest entropy; the
model's own confidence; and one that learns the gain from queries with labels.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from riskrank.data.baseline_scores import lacking_last
from riskrank.data.feature import Feature, feature_of
from riskrank.errors import FileError, ParameterError, quoted
from riskrank.files.records import decode
from riskrank.measures.rank_scores import ranks_of_scores
from riskrank.parameters import one_of
from riskrank.risk.churn import kendall_taus

if TYPE_CHECKING:
    from collections.abc import Callable

    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, Integers, JsonValue, PathLike


def _mean(values: Floats, offsets: Integers) -> Floats:
    means: Floats = np.add.reduceat(values, offsets[:-1]) / np.diff(offsets)
    return means


def _deviation(values: Floats, offsets: Integers) -> Floats:
    centred = values - np.repeat(_mean(values, offsets), np.diff(offsets))
    return np.sqrt(_mean(np.square(centred), offsets))


AGGREGATES: dict[str, Callable[[Floats, Integers], Floats]] = {
    "max": lambda values, offsets: np.maximum.reduceat(values, offsets[:-1]),
    "min": lambda values, offsets: np.minimum.reduceat(values, offsets[:-1]),
    "mean": _mean,
    "deviation": _deviation,
}
AGGREGATE_WORDS = {"max": "largest", "min": "smallest", "mean": "mean", "deviation": "spread of"}
CONFIDENCE_WORDS = {
    "margin": "the margin of its first document",
    "deviation": "the spread of its scores",
    "agreement": "its agreement with the baseline",
}


class QueryPredictor:
    """One number per query, from its documents' features and from the scores of the model and of the baseline."""

    kind: ClassVar[str]
    learns: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What it is of a query, in a sentence."""
        return self.kind

    def values(self, data: RankingData, model: Floats, baseline: Floats) -> Floats:
        """The number of each query."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for a saved model."""
        values: dict[str, Any] = asdict(self)  # type: ignore[call-overload]  # all of them are dataclasses
        return {"kind": self.kind, **{n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}}


@dataclass(frozen=True)
class Aggregate(QueryPredictor):
    """The largest, smallest or mean value of a feature over a query's documents, or its deviation; NaN left out.

    >>> Aggregate("max", 110)
    Aggregate(how='max', feature=110)
    >>> Aggregate("max", 110).words
    "the query's largest feature 110"
    """

    how: str
    feature: int | str

    kind = "aggregate"

    def __post_init__(self) -> None:
        one_of("how", self.how, list(AGGREGATES))
        object.__setattr__(self, "feature", Feature(self.feature).key)

    @property
    def words(self) -> str:
        return f"the query's {AGGREGATE_WORDS[self.how]} {_called(self.feature)}"

    def values(self, data: RankingData, model: Floats, baseline: Floats) -> Floats:
        column = Feature(self.feature).values(data)
        values = AGGREGATES[self.how](_filled(column, data), data.query_offsets)
        if self.how == "deviation" and np.isnan(column).any():  # those left out were given the mean, but do not count
            known = np.add.reduceat((~np.isnan(column)).astype(np.float64), data.query_offsets[:-1])
            values = values * np.sqrt(np.diff(data.query_offsets) / np.maximum(known, 1))
        return values


@dataclass(frozen=True)
class Entropy(QueryPredictor):
    """The entropy, in bits, of a feature that is a distribution over a query's documents (clicks, say).

    Values are divided by their sum; negative ones count as 0, and a query without any has a uniform distribution.
    """

    feature: int | str

    kind = "entropy"

    def __post_init__(self) -> None:
        object.__setattr__(self, "feature", Feature(self.feature).key)

    @property
    def words(self) -> str:
        return f"the query's entropy of {_called(self.feature)}"

    def values(self, data: RankingData, model: Floats, baseline: Floats) -> Floats:
        column = np.maximum(np.nan_to_num(Feature(self.feature).values(data)), 0.0)
        sizes = np.diff(data.query_offsets)
        total = np.repeat(np.add.reduceat(column, data.query_offsets[:-1]), sizes)
        share = np.where(total > 0, column / np.where(total > 0, total, 1.0), 1 / np.repeat(sizes, sizes))
        terms = np.where(share > 0, -share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
        entropy: Floats = np.add.reduceat(terms, data.query_offsets[:-1])
        return np.maximum(entropy, 0.0)


@dataclass(frozen=True)
class Confidence(QueryPredictor):
    """How sure the model is: ``"margin"`` between its first two documents, ``"deviation"`` of its scores, or
    ``"agreement"`` (Kendall's τ) of its ranking with the baseline's.
    """

    how: str = "margin"

    kind = "confidence"

    def __post_init__(self) -> None:
        one_of("how", self.how, list(CONFIDENCE_WORDS))

    @property
    def words(self) -> str:
        return CONFIDENCE_WORDS[self.how]

    def values(self, data: RankingData, model: Floats, baseline: Floats) -> Floats:
        """The confidence on each query; for one document, a margin of 0 and full agreement."""
        if self.how == "deviation":
            return _deviation(model, data.query_offsets)
        if self.how == "margin":
            return _margin(model, data)
        ranks, others = (ranks_of_scores(s, data, name="model") for s in (model, baseline))
        return np.nan_to_num(kendall_taus(data.query_numbers, ranks, others, n_topics=data.n_queries), nan=1.0)


@dataclass(frozen=True, eq=False)
class PredictedGain(QueryPredictor):
    """The gain over the baseline, as a ridge regression predicts it from descriptors of the query.

    Descriptors are maximum, mean and deviation of every feature, the number of documents, and how sure model and
    baseline are. It learns from queries with labels that the model was not trained on; the penalty is the one with
    the least error when each query is left out in turn.
    """

    weights: tuple[float, ...] = ()
    shift: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()
    intercept: float = 0.0
    penalty: float = 0.0

    kind = "predicted gain"
    learns = True

    def __post_init__(self) -> None:
        if not len(self.weights) == len(self.shift) == len(self.scale):
            raise ParameterError("weights, shift and scale of a predictor of gain must be equally many.")

    @property
    def words(self) -> str:
        return "its predicted gain"

    def learned(self, data: RankingData, model: Floats, baseline: Floats, gain: Floats) -> PredictedGain:
        """One that has learned from the gain of each query."""
        if len(gain) < 3:
            raise ParameterError(f"a predictor of gain needs at least 3 queries to learn from, got {len(gain)}.")
        x = _descriptors(data, model, baseline)
        shift, spread = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
        scale = np.where(spread > 1e-12, 1 / np.where(spread > 1e-12, spread, 1.0), 0.0)
        z = np.nan_to_num((x - shift) * scale)
        centred = gain - gain.mean()
        left, values, right = np.linalg.svd(z, full_matrices=False)
        best: tuple[float, float, Any] = (np.inf, 0.0, None)
        for penalty in np.geomspace(1e-1, 1e5, 25) * len(gain) / 100:
            shrunk = np.square(values) / (np.square(values) + penalty)
            fitted = left @ (shrunk * (left.T @ centred))
            leverage = np.minimum(np.square(left) @ shrunk + 1 / len(gain), 0.999)
            error = float(np.square((centred - fitted) / (1 - leverage)).mean())
            if error < best[0]:
                weights = right.T @ (values / (np.square(values) + penalty) * (left.T @ centred))
                best = (error, float(penalty), weights)
        return PredictedGain(
            tuple(best[2].tolist()), tuple(shift.tolist()), tuple(scale.tolist()), float(gain.mean()), best[1]
        )

    def values(self, data: RankingData, model: Floats, baseline: Floats) -> Floats:
        if not self.weights:
            raise ParameterError("this predictor of gain has not learned yet: pass valid= to fit.")
        x = _descriptors(data, model, baseline)
        if x.shape[1] != len(self.weights):
            raise ParameterError("this predictor of gain has learned from data with other features.")
        z = np.nan_to_num((x - np.array(self.shift)) * np.array(self.scale))
        return np.asarray(self.intercept + z @ np.array(self.weights))


KINDS: dict[str, type[QueryPredictor]] = {
    predictor.kind: predictor for predictor in (Aggregate, Entropy, Confidence, PredictedGain)
}


def read_predictor(content: JsonValue, path: PathLike, field: str = "predictor") -> QueryPredictor:
    """What `to_dict` gave, as a file has it; `path` and `field` are for messages."""
    entries = decode(dict[str, object], content, path, field=field)
    kind = entries.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise FileError(path, f"{field}.kind: must be one of {', '.join(KINDS)}.")
    return decode(KINDS[kind], {name: value for name, value in entries.items() if name != "kind"}, path, field=field)


def parse_predictor(text: str) -> QueryPredictor:
    """A predictor from the command line.

    >>> parse_predictor("max feature:110")
    Aggregate(how='max', feature=110)
    """
    words = text.split()
    try:
        feature = feature_of(words[1]) if len(words) == 2 else None
        if feature is not None:
            return Entropy(feature.key) if words[0] == "entropy" else Aggregate(words[0], feature.key)
        if words == ["gain"]:
            return PredictedGain()
        if len(words) == 1:
            return Confidence(words[0])
    except ParameterError:
        pass
    raise ParameterError(
        f"unknown predictor {quoted(text)}. Known: max, min, mean, deviation or entropy with a feature "
        "(max feature:110), margin, agreement, gain."
    )


def _called(feature: int | str) -> str:
    """A feature in a sentence."""
    return feature if isinstance(feature, str) else f"feature {feature}"


def _margin(scores: Floats, data: RankingData) -> Floats:
    """First score minus second; 0 for a query of one document."""
    order = np.lexsort((-scores, data.query_numbers))
    first = data.query_offsets[:-1]
    second = np.minimum(first + 1, data.query_offsets[1:] - 1)
    return scores[order[first]] - scores[order[second]]


def _filled(values: Floats, data: RankingData) -> Floats:
    """Missing values take the mean of their query, or 0 in a query that has none."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    starts = data.query_offsets[:-1]
    count = np.add.reduceat((~missing).astype(np.float64), starts)
    total = np.add.reduceat(np.where(missing, 0.0, values), starts)
    mean = np.divide(total, count, out=np.zeros(len(count)), where=count > 0)
    return np.where(missing, mean[data.query_numbers], values)


def _descriptors(data: RankingData, model: Floats, baseline: Floats) -> Floats:
    offsets = data.query_offsets
    columns = [np.log(np.diff(offsets).astype(np.float64)), Confidence("agreement").values(data, model, baseline)]
    for scores in (model, lacking_last(baseline)):
        columns += [_margin(scores, data), _deviation(scores, offsets)]
    for f in range(data.n_features):
        column = _filled(data.features[:, f].astype(np.float64), data)
        columns += [AGGREGATES[how](column, offsets) for how in ("max", "mean", "deviation")]
    return np.stack(columns, axis=1)
