"""What a ranker tells of its features."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from riskrank.errors import ParameterError
from riskrank.rankers.estimator import BaseEstimator

if TYPE_CHECKING:
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.explaining.permutation import PermutationImportance
    from riskrank.rankers.ranker import Ranker
    from riskrank.typing import BaselineLike, DataLike, Floats, LabelledLike, MeasureLike, QuantityName, Singles


class Explained(BaseEstimator):
    """Base of rankers: how much features matter, and what they contribute to each document's score.

    A kind of ranker may define `importances`, and `feature_contributions` where its scores are sums over features.
    """

    def importances(self) -> dict[str, Floats]:
        """Numbers that say how much each feature matters, by kind; empty if the model cannot tell."""
        return {}

    def feature_contributions(self, features: Singles) -> Floats:
        """For each row, what each feature adds to its score; and, last, what all rows have in common."""
        raise ParameterError(
            f"the scores of a {type(self).__name__} are no sums over features. "
            "Ask permutation_importance what its features do."
        )

    def model_inputs(self, X: DataLike) -> tuple[RankingData | None, Singles]:
        """The features that the model knows; and the data, where they are more than that."""
        raise NotImplementedError

    def start_scores(self, data: RankingData | None, features: Singles, baseline: BaselineLike | None) -> Floats:
        """What the model starts from."""
        raise NotImplementedError

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in the first of its importances without sign, by scikit-learn's name."""
        kinds = list(self.importances().values())
        if not kinds:
            raise AttributeError(f"a {type(self).__name__} cannot tell how much features matter.")
        sizes = np.abs(kinds[0])
        total = float(sizes.sum())
        return sizes / total if total > 0 else sizes

    def contributions(self, X: DataLike, *, baseline: BaselineLike | None = None) -> Floats:
        """What each feature adds to the score of each document: documents × (features + 1), in the order of `X`.

        Rows add up to the scores. The last column is what a document scores of which nothing is known, the mean over
        the training data, and for a model that starts from its baseline also the score that it starts from. For trees
        these are SHAP values (Lundberg et al. 2020), computed by the engine itself (XGBoost has single precision here,
        as in its scores); linear models weigh standardised features, whose mean is 0.
        """
        data, features = self.model_inputs(X)
        parts = self.feature_contributions(features)
        parts[:, -1] += self.start_scores(data, features, baseline)
        return parts

    def permutation_importance(
        self,
        data: LabelledLike,
        *,
        measure: MeasureLike | None = None,
        baseline: BaselineLike | None = None,
        target: QuantityName = "gain",
        alpha: float | None = None,
        repeats: int = 5,
        random_state: int = 0,
    ) -> PermutationImportance:
        """How much worse the model gets when a feature's values are permuted over all documents (Breiman 2001).

        Over all documents, not within queries: a feature that is the same for all documents of a query (its length,
        say) would not move there, though trees split on it.

        Parameters
        ----------
        data
            Labelled queries that the model was not trained on: data, a file, or a tuple as for `valid`.
        measure
            What is compared (default: the objective's).
        baseline
            As for `fit` (default: the model's own, if that is a feature); the baseline's ranking stays as it is.
        target
            ``"gain"``: the mean of the measure; ``"risk"``: mean loss against the baseline, which a feature below 0
            causes; ``"reward"`` or ``"urisk"``, with losses weighted 1 + `alpha` (default: the objective's alpha).
        repeats, random_state
            How often each feature is permuted, and the seed.
        """
        from riskrank.rankers.explaining.permutation import permutation_importance

        return permutation_importance(
            cast("Ranker", self), data, measure=measure, baseline=baseline, target=target, alpha=alpha, repeats=repeats,
            random_state=random_state,
        )  # fmt: skip
