"""Rankers, all with one contract: fit, predict, save, load.

A ranker is a file in one of the folders here and a line below. Packages outside add theirs through the entry-point
group ``riskrank.rankers``, under the name of their class: the command line and `load` then know them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.errors import ParameterError
from riskrank.registry import Registry

if TYPE_CHECKING:
    from riskrank.rankers.card import SavedModel
    from riskrank.rankers.ranker import Ranker
    from riskrank.rankers.selective.wrapped import Wrapped
    from riskrank.typing import PathLike

RANKERS: Registry[type[Ranker]] = Registry(
    "ranker",
    group="riskrank.rankers",
    own_name="__name__",
    homes={
        "AFS": "riskrank.rankers.linear.afs",
        "AdaRank": "riskrank.rankers.linear.adarank",
        "LambdaMART": "riskrank.rankers.trees.lambdamart",
        "LambdaNet": "riskrank.rankers.nets.lambdanet",
        "LinearRanker": "riskrank.rankers.linear.linear_ranker",
        "PreferenceLambdaMART": "riskrank.rankers.trees.preference_lambdamart",
        "RegressionTrees": "riskrank.rankers.trees.regression_trees",
    },
)
WRAPPERS: Registry[type[Wrapped]] = Registry(  # rankers around a ranker: only ours
    "wrapper",
    homes={"Mixed": "riskrank.rankers.selective.mixed", "Selective": "riskrank.rankers.selective.selective"},
)
are_estimators = True  # of scikit-learn, where it is installed; it takes a second to load


def load(folder: PathLike) -> Ranker | Wrapped:
    """A saved ranker of any kind."""
    from riskrank.rankers.card import saved_model

    return restored(saved_model(folder))


def restored(saved: SavedModel) -> Ranker | Wrapped:
    """A ranker of any kind, of its card and files."""
    kind = str(saved.card.get("kind"))
    return WRAPPERS[kind].restored(saved) if kind in WRAPPERS else restored_ranker(saved)


def load_ranker(folder: PathLike) -> Ranker:
    """A saved ranker that is none around another."""
    from riskrank.rankers.card import saved_model

    return restored_ranker(saved_model(folder))


def restored_ranker(saved: SavedModel) -> Ranker:
    """A ranker that is none around another, of its card and files."""
    kind = str(saved.card.get("kind"))
    if kind not in RANKERS:
        RANKERS.load_entry_points()
    if kind not in RANKERS:
        what = f"{saved.folder} holds a {kind}, which this riskrank does not know"
        raise ParameterError(f"{what}. Update riskrank, or install what it is of.")
    return RANKERS[kind].restored(saved)
