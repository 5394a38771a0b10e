"""How the queries of a sweep are divided: one fixed split, folds drawn at random, or folds as files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.feature_tables.ranking_files import read_ranking_data
from riskrank.data.feature_tables.sources.table_paths import tables_within
from riskrank.data.ranking_data import RankingData
from riskrank.errors import AlignmentError, FileError, ParameterError, one_line
from riskrank.parameters import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.typing import FeatureDataLike, Integers, PathLike, SplitLike, SplitsLike, TopicColumnLike

PART_FILES = (("train",), ("vali", "valid", "validation", "dev"), ("test",))


@dataclass(frozen=True, eq=False)
class Split:
    """Queries to train on, to validate on, to test on, and perhaps to choose an operating point on."""

    train: RankingData
    valid: RankingData | None
    test: RankingData
    calibration: RankingData | None = None

    def __post_init__(self) -> None:
        self.test.check_weights_of_queries("test data")
        for name, part in self.sets.items():
            if part.n_features != self.train.n_features:
                raise AlignmentError(
                    f"{name} data have {part.n_features} features, training data have {self.train.n_features}."
                )

    @property
    def sets(self) -> dict[str, RankingData]:
        """The parts that models are judged on."""
        known = {"test": self.test, "valid": self.valid, "calibration": self.calibration}
        return {name: data for name, data in known.items() if data is not None}


def splits_of(
    data: SplitsLike,
    *,
    valid: FeatureDataLike | None = None,
    test: FeatureDataLike | None = None,
    calibration: FeatureDataLike | None = None,
    folds: int | None = None,
    random_state: int = 0,
    zero_based: bool = False,
    weights: TopicColumnLike | None = None,
) -> list[Callable[[], Split]]:
    """The splits that a user asks for, as `riskrank.sweep` takes them; each is made when it is called for.

    Of a number of folds, each is tested by models of the others, the next one for validation. With `weights`, a table
    of query ids, all parts have them.
    """
    plain = _splits_of(data, valid, test, calibration, folds, random_state=random_state, zero_based=zero_based)
    return plain if weights is None else [partial(_weighted, make, weights) for make in plain]


def _weighted(make: Callable[[], Split], weights: TopicColumnLike) -> Split:
    split = make()
    valid, calibration = (None if part is None else part.weighted(weights) for part in (split.valid, split.calibration))
    return Split(split.train.weighted(weights), valid, split.test.weighted(weights), calibration)


def _splits_of(
    data: SplitsLike,
    valid: FeatureDataLike | None,
    test: FeatureDataLike | None,
    calibration: FeatureDataLike | None,
    folds: int | None,
    *,
    random_state: int,
    zero_based: bool,
) -> list[Callable[[], Split]]:
    whole("random_state", random_state, 0)
    given = {"valid": valid, "test": test, "calibration": calibration, "folds": folds}
    others = [name for name, value in given.items() if value is not None]
    if isinstance(data, list | tuple):
        if others:
            raise ParameterError("a list of (train, valid, test) has its own parts: leave the others out.")
        return _listed(data, zero_based)
    if not isinstance(data, RankingData | str | os.PathLike):
        raise ParameterError(
            "data must be RankingData, a file of feature data, a folder of folds or a list of (train, valid, test), "
            f"got {one_line(repr(data))}."
        )
    if not isinstance(data, RankingData) and is_fold_folder(data):
        if others:
            message = f"{data} is a folder of folds, which has its own parts: leave {others[0]} out."
            raise ParameterError(message, others[0])
        return _fold_files(Path(data), zero_based)
    if folds is not None:
        if others != ["folds"]:
            message = "with folds, all queries come from the one file: leave valid, test and calibration out."
            raise ParameterError(message, *given)
        return _random_folds(_read(data, zero_based), folds, random_state)
    if test is None:
        raise ParameterError("a sweep needs queries to test on: pass test=, or folds=.")
    split = _split(data, valid, test, calibration, zero_based=zero_based)
    return [lambda: split]


def is_fold_folder(path: PathLike) -> bool:
    """Is it a folder of folds, rather than one that holds the files of a table?"""
    place = Path(path)
    return place.is_dir() and (any(map(_is_fold, place.iterdir())) or not tables_within(place))


def _is_fold(place: Path) -> bool:
    return place.is_dir() and place.name.lower().startswith("fold")


def _read(data: FeatureDataLike, zero_based: bool, n_features: int | None = None) -> RankingData:
    if isinstance(data, RankingData):
        return data
    return read_ranking_data(data, zero_based=zero_based, n_features=n_features)


def _split(
    train: FeatureDataLike,
    valid: FeatureDataLike | None,
    test: FeatureDataLike,
    calibration: FeatureDataLike | None = None,
    *,
    zero_based: bool,
) -> Split:
    data = _read(train, zero_based)
    others = [None if part is None else _read(part, zero_based, data.n_features) for part in (valid, calibration)]
    return Split(data, others[0], _read(test, zero_based, data.n_features), others[1])


def _listed(splits: Sequence[SplitLike], zero_based: bool) -> list[Callable[[], Split]]:
    are_right = [isinstance(each, list | tuple) and len(each) in (3, 4) for each in splits]
    if not splits or not all(are_right) or any(each[0] is None or each[2] is None for each in splits):
        raise ParameterError("a list of splits holds (train, valid, test), valid may be None; or one part more.")
    return [partial(_split, *each, zero_based=zero_based) for each in splits]


def _random_folds(data: RankingData, folds: int, random_state: int) -> list[Callable[[], Split]]:
    whole("folds", folds, 3, alternative=" (train, validate, test)")
    if folds > data.n_queries:
        raise ParameterError(f"{data.n_queries} queries cannot be divided into {folds} folds.")
    order = np.random.default_rng(random_state).permutation(data.n_queries)
    parts = [np.sort(part) for part in np.array_split(order, folds)]

    def make(number: int) -> Split:
        following = (number + 1) % folds
        rest: list[Integers] = [part for i, part in enumerate(parts) if i not in (number, following)]
        return Split(data.take(np.sort(np.concatenate(rest))), data.take(parts[following]), data.take(parts[number]))

    return [partial(make, number) for number in range(folds)]


def _fold_files(folder: Path, zero_based: bool) -> list[Callable[[], Split]]:
    named = [path for path in folder.iterdir() if _is_fold(path)]
    places = sorted(named, key=lambda path: (len(path.name), path.name))  # Fold10 after Fold2
    if not places:
        raise FileError(folder, "has no folders Fold1, Fold2, … with train.txt, vali.txt and test.txt.")
    files = [[_part(place, stems) for stems in PART_FILES] for place in places]
    return [partial(_split, *paths, zero_based=zero_based) for paths in files]


def _part(place: Path, stems: Sequence[str]) -> Path:
    for name in (f"{stem}{suffix}" for stem in stems for suffix in (".txt", ".txt.gz", ".letor", "")):
        if (place / name).is_file():
            return place / name
    raise FileError(place, f"has no {stems[0]}.txt.")
