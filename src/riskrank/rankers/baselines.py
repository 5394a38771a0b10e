"""A population of baseline systems, perhaps learned on a share of the queries."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskrank.data.baseline_scores import baseline_scores
from riskrank.data.fingerprints import json_digest, whole_fingerprint
from riskrank.errors import FileError, ParameterError
from riskrank.parameters import between, whole
from riskrank.rankers.fitting.inputs import training_data
from riskrank.rankers.ranker import Ranker

if TYPE_CHECKING:
    from riskrank.data.effectiveness import Effectiveness
    from riskrank.data.ranking_data import RankingData
    from riskrank.typing import Floats, LabelledLike, MeasureLike, NamedBaselines, PathLike


class Baselines(Mapping[str, Any]):
    """Baseline systems by name: `Feature`\\ s, runs, fitted rankers. Pass it wherever a ranker takes a baseline.

    >>> from riskrank import Baselines, Feature
    >>> Baselines({"bm25": Feature(25), "language model": Feature(40)})
    Baselines: bm25, language model
    """

    def __init__(self, systems: NamedBaselines) -> None:
        if not systems:
            raise ParameterError("a population needs at least one baseline.")
        for name, system in systems.items():
            if isinstance(system, Ranker) and not hasattr(system, "card_"):
                raise ParameterError(f"{name} is not fitted yet. Fit it, or let Baselines.learn do so.")
        self._systems = {str(name): system for name, system in systems.items()}

    def __getitem__(self, name: str) -> Any:
        return self._systems[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def __repr__(self) -> str:
        return f"Baselines: {', '.join(self)}"

    def scores(self, data: RankingData) -> dict[str, Floats]:
        """The scores that each system gives the documents of some data."""
        return {baseline.name: baseline.scores for baseline in baseline_scores(self, data)}

    def evaluate(self, data: RankingData, measure: MeasureLike = "nDCG@10") -> Effectiveness:
        """How effective each system is on each query."""
        from riskrank.measures.evaluate import evaluate

        return evaluate(data, self.scores(data), measure)

    @classmethod
    def learn(
        cls,
        data: LabelledLike,
        systems: NamedBaselines,
        *,
        share: float = 0.2,
        random_state: int = 0,
        cache: PathLike | None = None,
    ) -> tuple[Baselines, RankingData]:
        """Learn rankers on a share of the queries; they come with the other queries, which they have not seen.

        Of that share, drawn at random, two thirds train each ranker that is not fitted yet and one third validates it,
        as Dinçer et al. 2016, §6.1, do. Features, runs and fitted rankers stay as they are.

        Parameters
        ----------
        data, systems
            Labelled queries, and the baselines by name.
        share, random_state
            The share of queries to learn from, and the seed of the draw.
        cache
            A folder that keeps what was learned, under a digest of ranker and data; the next call finds it there.
        """
        whole("random_state", random_state, 0)
        between("share", share, 0, 1)
        given = training_data(data)
        order = np.random.default_rng(random_state).permutation(given.n_queries)
        n_used = round(share * given.n_queries)
        n_train = round(n_used * 2 / 3)
        if n_train < 1 or n_used - n_train < 1 or n_used == given.n_queries:
            raise ParameterError(
                f"a share of {share:g} of {given.n_queries} queries leaves too few: at least 2 are needed "
                "(to train and to validate) and 1 must remain."
            )
        train, valid, rest = (
            given.take(np.sort(part)) for part in (order[:n_train], order[n_train:n_used], order[n_used:])
        )
        folder = None if cache is None else Path(cache)
        learned = {
            name: _fitted_or_cached(system, train, valid, folder) if isinstance(system, Ranker) else system
            for name, system in systems.items()
        }
        return cls(learned), rest

    @classmethod
    def held_out(
        cls,
        data: LabelledLike,
        systems: NamedBaselines,
        *,
        share: float = 0.2,
        random_state: int = 0,
        cache: PathLike | None = None,
    ) -> tuple[Baselines, RankingData]:
        """The old name of `learn`."""
        warnings.warn("Baselines.held_out is called learn now.", DeprecationWarning, stacklevel=2)
        return cls.learn(data, systems, share=share, random_state=random_state, cache=cache)


def _fitted_or_cached(ranker: Ranker, train: RankingData, valid: RankingData, folder: Path | None) -> Ranker:
    """A fitted copy, from the cache if it is there; a ranker that is fitted stays as it is."""
    if hasattr(ranker, "card_"):
        return ranker
    copy: Ranker = type(ranker)(**ranker.get_params(deep=False))
    place = None if folder is None else folder / f"{type(ranker).__name__}-{_cache_key(ranker, train, valid)}"
    if place is not None and place.is_dir():
        with contextlib.suppress(FileError):  # it is damaged
            return type(ranker).load(place)
    copy.fit(train, valid=valid)
    if place is not None:
        copy.save(place)
    return copy


def _cache_key(ranker: Ranker, *data: RankingData) -> str:
    """A digest of all that decides what a ranker learns."""
    parameters = {n: repr(v) for n, v in ranker.get_params(deep=False).items() if n not in ("n_threads", "verbose")}
    content = [parameters, ranker.engine_versions(), [whole_fingerprint(each) for each in data]]
    return json_digest(content)[:16]
