"""What tree engines are told and what they offer; each engine is a module with the same names in it.

Another engine is a file like `lightgbm_trees.py`, a line in `ENGINES`, and its name in `riskrank.typing.EngineName`.
"""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

from riskrank import rankers
from riskrank.errors import ParameterError, RiskrankError, nearest, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from riskrank.data.feature_columns import FeatureColumns
    from riskrank.data.ranking_data import RankingData
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.boosted_trees import BoostedTrees
    from riskrank.typing import Categories, Floats, PathLike, Singles

ENGINES = {
    "lightgbm": "riskrank.rankers.trees.lightgbm_trees",
    "native": "riskrank.rankers.trees.native_trees",
    "xgboost": "riskrank.rankers.trees.xgboost_trees",
}
OPTIONAL = ("sklearn", "pandas", "dask", "pyarrow", "matplotlib")  # what engines load if it is there
BUILT_IN = {"native"}  # the others are libraries of their own
BLOCK = 50  # with random numbers, trees are grown in blocks of this many, each with a seed of its own: see block_seed
NO_CATEGORIES: Categories = {}
B = TypeVar("B")

_are_quiet = False


def engine_named(name: str) -> Engine:
    """A tree engine by its name."""
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise ParameterError(f"unknown engine {quoted(name)}.{nearest(name, list(ENGINES))} Known: {known}.")
    with nullcontext() if rankers.are_estimators else _hidden(OPTIONAL):
        engine: Any = import_module(ENGINES[name])
    if _are_quiet:
        engine.quiet()
    return engine  # type: ignore[no-any-return]  # a module with these names


@contextmanager
def _hidden(libraries: Sequence[str]) -> Iterator[None]:
    """For a command, which hands engines arrays alone: let what is imported now take these for not installed.

    Engines load them for those who hand them frames and estimators, which takes a second.
    """
    missing = [name for name in libraries if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(missing))  # None says that there is no such module
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


def check_engine(name: str) -> None:
    """Refuse an engine that is unknown or not installed, without loading it, which takes a second."""
    if name not in ENGINES or (name not in BUILT_IN and find_spec(name) is None):
        engine_named(name)


def quiet_engines() -> None:
    """For a command: keep engines from writing lines of their own between the command's, once they are loaded."""
    global _are_quiet  # noqa: PLW0603 (a process is a command or not)
    _are_quiet = True


class Engine(Protocol):
    """The module of an engine."""

    NAME: str
    VERSION: str
    MODEL_FILE: str  # the name of the file that a model is kept in
    LIMITS_DOCUMENTS: bool  # can leaves have a least number of documents?
    NEEDS_SCORES: bool  # to go on with trees of a checkpoint, besides the trees?
    Trees: Callable[[RankingData, RankingData | None, BoostedTrees, GrownTrees | None], Trees]

    def read_model(self, text: bytes, path: PathLike, categories: Categories = NO_CATEGORIES) -> TreeModel:
        """A model from what `Trees.text` gave, or from what somebody made of it; `path` is for messages.

        Splits by category are refused but in columns of `categories`, whose codes they may name.
        """

    def model_file(self, text: bytes, n_trees: int, names: Sequence[str]) -> bytes:
        """The first trees of what `Trees.text` gave, as a file that scores the same with the engine alone.

        It calls the features by names that the engine can bear (`plain_names`); empty where they have none.
        """

    def quiet(self) -> None:
        """Keep the engine from writing lines of its own; what it refuses comes as an error."""


@dataclass(frozen=True, eq=False)
class GrownTrees:
    """Trees of a checkpoint, and the scores that they gave training and, perhaps, validation data.

    There are none for an engine that needs none.
    """

    model: bytes
    scores: list[Floats]
    n_trees: int


class Trees(Protocol):
    """A growing ensemble on training data and, perhaps, validation data, as the parameters of a ranker say."""

    is_random: bool  # does it draw samples?

    def grow(self, gradients: Gradients, iteration: int) -> bool:
        """Add a tree to gradients of the present scores; False if no split was worth it."""

    def train_scores(self) -> Floats:
        """The scores of the training data."""

    def valid_scores(self) -> Floats:
        """The scores of the validation data."""

    def text(self) -> bytes:
        """The ensemble as the engine writes it."""


class TreeModel(Protocol):
    """A finished ensemble; `booster` is the engine's own object."""

    booster: Any
    n_features: int
    n_trees: int

    def predict(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """A score for each row from the first trees, of which there is at least one."""

    def contributions(self, features: Singles, *, n_trees: int, n_threads: int | None) -> Floats:
        """What each feature adds to such a score, and the part that all rows have in common: rows × (features + 1)."""

    def importances(self) -> dict[str, Floats]:
        """How much each feature gained (``"gain"``), and how often it split (``"splits"``)."""


def check_threads(number: str) -> None:
    """Refuse more threads than `n_threads` may be, among an engine's own parameters: it would end the process."""
    from riskrank.parameters import SHOWN, whole  # with NumPy, which help does without

    if number.isdecimal():
        whole("n_threads", int(number[:SHOWN]), 0)


def plain_names(columns: FeatureColumns) -> list[str]:
    """Names of features in letters, digits, dots and lines, which all engines bear; empty where there are none.

    >>> from riskrank.data.feature_columns import FeatureColumns
    >>> plain_names(FeatureColumns(3, names=("bm25 (title)", "bm25_(title)", "größe")))
    ['bm25__title_', 'bm25__title__2', 'größe']
    """
    names: dict[str, int] = {}  # and how often each was wanted
    for name in columns.names or ():
        plain = tried = re.sub(r"[^\w.-]", "_", name)
        while tried in names:
            names[plain] += 1
            tried = f"{plain}_{names[plain]}"
        names[tried] = 1
    return list(names)


def block_seed(seed: int, iteration: int) -> int:
    """The seed of the block that begins at an iteration.

    Engines do not tell the state of their random numbers, so a resumed training can only go on where they begin anew.
    """
    return (seed + 7919 * (iteration // BLOCK)) % 2**31


class Bins(Generic[B]):
    """Data in an engine's bins, built once for all models that are trained on the same object in the same way."""

    _building: ClassVar = threading.Lock()  # models that are trained side by side wait for their common bins

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[RankingData, tuple[Hashable, B]] = WeakKeyDictionary()

    def of(self, data: RankingData, way: Hashable, build: Callable[[], B]) -> B:
        """The bins of some data; those that were built in another way are forgotten."""
        with self._building:
            known = self._known.get(data)
            if known is None or known[0] != way:
                self._known.pop(data, None)  # before the others take their memory
                known = self._known[data] = way, build()
            return known[1]


@contextmanager
def refusals(engine: str, *errors: type[Exception]) -> Iterator[None]:
    """What an engine refuses, in one line."""
    refused: tuple[type[Exception], ...] = (*errors, TypeError, ValueError)
    try:
        yield
    except RiskrankError:
        raise
    except refused as error:
        raise ParameterError(f"{engine} refuses the parameters: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """What an engine says, without the trace that may follow."""
    return one_line(str(error).strip().split("\n")[0], limit=200)
