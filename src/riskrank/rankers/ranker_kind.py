"""What a kind of ranker defines: its parameters, how it learns and scores, and what it is kept in."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from riskrank.cores import usable_cores
from riskrank.errors import ParameterError, RiskrankError
from riskrank.measures import Measure
from riskrank.objectives.gain import Gain
from riskrank.objectives.objective import Objective, parse_objective
from riskrank.objectives.on_data.bound_objective import BoundObjective
from riskrank.parameters import one_of, positive, whole, without_numpy
from riskrank.rankers.explaining.explained import Explained
from riskrank.rankers.fitting.validation import is_objective_value, parse_valid_measure
from riskrank.typing import StartName

if TYPE_CHECKING:
    from riskrank.data.baseline_scores import BaselineScores
    from riskrank.data.ranking_data import RankingData
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.fitting.checkpoint import Checkpoint
    from riskrank.rankers.fitting.learner import Learner
    from riskrank.rankers.fitting.loop import FitResult
    from riskrank.rankers.fitting.plan import FitPlan
    from riskrank.typing import Floats, MeasureLike, ObjectiveLike, Singles


class RankerKind(Explained):
    """What is different from one kind of ranker to another; `Ranker` has what is the same for all."""

    unit: ClassVar[str]  # what a step of training adds: trees, epochs, rounds
    runs_in_threads: ClassVar[bool] = True  # can several of them be trained side by side in one process?
    takes_categories: ClassVar[bool] = False  # can it learn from features that are codes of categories?

    learns_from_shards: ClassVar[bool] = False  # can it learn from a share of data beside others?

    measure: MeasureLike = "nDCG@10"  # for rankers that do not take an objective
    objective: ObjectiveLike | None = None
    start: StartName = "zero"
    start_spread: float = 1.0
    early_stopping: int | None
    valid_measure: MeasureLike | None
    n_threads: int | None
    random_state: int
    verbose: bool | None

    def __init__(self, **parameters: Any) -> None:  # those of the kind
        raise NotImplementedError

    # What a kind of ranker defines.

    @property
    def n_steps(self) -> int:
        """How many steps training has at most."""
        raise NotImplementedError

    def learner(self, plan: FitPlan, checkpoint: Checkpoint | None) -> Learner:
        """What learns step by step, from the beginning or from a checkpoint."""
        raise NotImplementedError

    def adopt(self, learner: Any, result: FitResult) -> None:  # whatever `learner` made
        """Take over the model from the learner."""
        raise NotImplementedError

    def score_documents(self, features: Singles) -> Floats:
        """A score for each row of features."""
        raise NotImplementedError

    def model_files(self) -> dict[str, bytes]:
        """The files that a saved model consists of, by name."""
        raise NotImplementedError

    def restore(self, saved: SavedModel) -> None:
        """Take over the model from its files."""
        raise NotImplementedError

    # What it may define.

    @property
    def checkpoint_every(self) -> int:
        """Steps between checkpoints, unless a user says otherwise."""
        return 50

    @property
    def training_objective(self) -> Objective:
        """What is optimised or, for rankers that optimise something else, what their history shows."""
        own = self.own_objective
        return Gain(self.measure) if own is None else own

    @property
    def own_objective(self) -> Objective | None:
        """The objective that was given, as an object or as text."""
        return (
            parse_objective(self.objective, measure=self.measure) if isinstance(self.objective, str) else self.objective
        )

    @property
    def label(self) -> str:
        """A short name, for tables."""
        return repr(self.training_objective)

    def check_parameters(self) -> None:
        """Refuse parameters outside their domain, before any work."""
        objective: object = self.training_objective
        if not isinstance(objective, Objective):
            raise ParameterError(
                f"objective must be one like URisk('nDCG@10', alpha=5), or its name, got {objective!r}.", "objective"
            )
        whole("early_stopping", self.early_stopping, 1, optional=True)
        whole("n_threads", self.n_threads, 1, optional=True)
        whole("random_state", self.random_state, 0)
        one_of("start", self.start, get_args(StartName))
        positive("start_spread", self.start_spread)
        if self.valid_measure is not None and not is_objective_value(self.valid_measure):
            parse_valid_measure(self.valid_measure)

    def check_loaded(self) -> None:
        """The same of a saved model, before anything else is loaded."""
        self.check_parameters()

    def training_view(
        self, data: RankingData, baselines: list[BaselineScores]
    ) -> tuple[RankingData, list[BaselineScores]]:
        """The data with the labels, and of them the documents, that training goes by."""
        return data, baselines

    def bind(self, objective: Objective, data: RankingData, baselines: list[BaselineScores]) -> BoundObjective:
        """The objective on training or validation data."""
        return BoundObjective(objective, data, baselines, n_threads=self.usable_threads)

    def uses_best_step(self, has_valid: bool) -> bool:
        """Is the best step used, by the validation queries (or by the training queries), rather than the last?"""
        return has_valid and (self.early_stopping is not None or self.valid_measure is not None)

    def engine_versions(self) -> dict[str, str]:
        """The versions of the libraries that decide what is learned."""
        return {}

    def imputed_values(self) -> Floats | None:
        """What a missing value of each feature counts as, NaN for those that are not used; None: it stays missing."""
        return None

    def plain_parameters(self) -> dict[str, Any]:
        """The parameters but the objective, as JSON keeps them."""
        given = {name: value for name, value in self.get_params(deep=False).items() if name != "objective"}
        return {
            name: str(value) if isinstance(value, Measure) else without_numpy(value) for name, value in given.items()
        }

    def identity(self) -> dict[str, Any]:
        """What decides what is learned from some data for an objective: the same for training to be resumed."""
        return {name: v for name, v in self.plain_parameters().items() if name not in ("n_threads", "verbose")}

    def part(self, name: str) -> Any:
        """What a parameter stands for: an objective, also where it is given as text or left out."""
        if name != "objective":
            return super().part(name)
        with suppress(RiskrankError):
            return self.training_objective
        return None

    @property
    def usable_threads(self) -> int:
        """How many threads it may use."""
        return int(self.n_threads or usable_cores())
