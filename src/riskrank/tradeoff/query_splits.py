"""How the queries of a sweep are divided: one fixed split, folds drawn at random, or folds as files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from riskrank.data.feature_tables.ranking_files import read_ranking_data
from riskrank.data.feature_tables.sources.table_paths import tables_within
from riskrank.data.ranking_data import RankingData
from riskrank.data.shards.sharded_data import ShardedData, is_sharded
from riskrank.errors import AlignmentError, FileError, ParameterError, one_line
from riskrank.parameters import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from riskrank.typing import Integers, PathLike, SplitLike, SplitsLike, SweptDataLike, TopicColumnLike

    Read = Callable[..., RankingData | ShardedData]  # data as they were named, with as many features as others

TRAIN = "train"
PART_FILES = (("train",), ("vali", "valid", "validation", "dev"), ("test",))


@dataclass(frozen=True, eq=False)
class Split:
    """Queries to train on, to validate on, to test on, and perhaps to choose an operating point on."""

    train: RankingData | ShardedData
    valid: RankingData | ShardedData | None
    test: RankingData | ShardedData
    calibration: RankingData | ShardedData | None = None

    def __post_init__(self) -> None:
        for name, part in self.parts.items():
            if isinstance(part, ShardedData) != self.is_sharded:
                which = ("are", "are not") if self.is_sharded else ("are not", "are")
                raise ParameterError(f"training data {which[0]} in shards, {name} data {which[1]}: shard all.", name)
        self.test.check_weights_of_queries("test data")
        own = self.train.columns.count
        for name, part in self.parts.items():
            if part.columns.count != own:
                said = f"{name} data have {part.columns.count} features, training data have {own}."
                way = f" If the others are 0, shard both with n_features={max(own, part.columns.count)}."
                raise AlignmentError(said + (way if self.is_sharded and part.columns.names is None else ""))

    @property
    def parts(self) -> dict[str, RankingData | ShardedData]:
        """The training data and those that models are judged on."""
        known = {TRAIN: self.train, "test": self.test, "valid": self.valid, "calibration": self.calibration}
        return {name: data for name, data in known.items() if data is not None}

    @property
    def is_sharded(self) -> bool:
        """Are all parts in shards?"""
        return isinstance(self.train, ShardedData)

    def held(self) -> dict[str, RankingData]:
        """All parts in memory, with the queries of all their shards."""
        return {name: part.share() if isinstance(part, ShardedData) else part for name, part in self.parts.items()}


def splits_of(
    data: SplitsLike,
    *,
    valid: SweptDataLike | None = None,
    test: SweptDataLike | None = None,
    calibration: SweptDataLike | None = None,
    folds: int | None = None,
    random_state: int = 0,
    zero_based: bool = False,
    cache: PathLike | None = None,
    weights: TopicColumnLike | None = None,
) -> list[Callable[[], Split]]:
    """The splits that a user asks for, as `riskrank.sweep` takes them; each is made when it is called for.

    Of a number of folds, each is tested by models of the others, the next one for validation. With `weights`, a table
    of query ids, all parts have them. A `cache` keeps what is read of files.
    """
    read = partial(_read, zero_based=zero_based, cache=cache)
    plain = _splits_of(data, valid, test, calibration, folds, random_state, read)
    return plain if weights is None else [partial(_weighted, make, weights) for make in plain]


def _weighted(make: Callable[[], Split], weights: TopicColumnLike) -> Split:
    split = make()
    if split.is_sharded:
        raise ParameterError("data in shards hold all that is known of them: leave weights= out.", "weights")
    held = split.held()
    parts = {name: held[name].weighted(weights) for name in (TRAIN, "valid", "calibration", "test") if name in held}
    return Split(parts[TRAIN], parts.get("valid"), parts["test"], parts.get("calibration"))


def _splits_of(
    data: SplitsLike,
    valid: SweptDataLike | None,
    test: SweptDataLike | None,
    calibration: SweptDataLike | None,
    folds: int | None,
    random_state: int,
    read: Read,
) -> list[Callable[[], Split]]:
    whole("random_state", random_state, 0)
    given = {"valid": valid, "test": test, "calibration": calibration, "folds": folds}
    others = [name for name, value in given.items() if value is not None]
    if isinstance(data, list | tuple):
        if others:
            raise ParameterError("a list of (train, valid, test) has its own parts: leave the others out.")
        return [partial(_split, *each, read=read) for each in _checked(data)]
    if not isinstance(data, RankingData | ShardedData | str | os.PathLike):
        raise ParameterError(
            "data must be RankingData, a file of feature data, shards, a folder of folds or a list of (train, valid, "
            f"test), got {one_line(repr(data))}."
        )
    if isinstance(data, str | os.PathLike) and is_fold_folder(data):
        if others:
            message = f"{data} is a folder of folds, which has its own parts: leave {others[0]} out."
            raise ParameterError(message, others[0])
        return [partial(_split, *paths, read=read) for paths in _fold_files(Path(data))]
    if folds is not None:
        if others != ["folds"]:
            message = "with folds, all queries come from the one file: leave valid, test and calibration out."
            raise ParameterError(message, *given)
        whole_data = read(data)
        if isinstance(whole_data, ShardedData):
            raise ParameterError("shards are not divided into folds: shard the parts of a fold, pass test=.", "folds")
        return _random_folds(whole_data, folds, random_state)
    if test is None:
        raise ParameterError("a sweep needs queries to test on: pass test=, or folds=.")
    split = _split(data, valid, test, calibration, read=read)
    return [lambda: split]


def is_fold_folder(path: PathLike) -> bool:
    """Is it a folder of folds, rather than one that holds the files of a table?"""
    place = Path(path)
    if not place.is_dir() or is_sharded(place):
        return False
    return any(map(_is_fold, place.iterdir())) or not tables_within(place)


def _is_fold(place: Path) -> bool:
    return place.is_dir() and place.name.lower().startswith("fold")


def _read(
    data: SweptDataLike, n_features: int | None = None, *, zero_based: bool, cache: PathLike | None
) -> RankingData | ShardedData:
    if isinstance(data, RankingData | ShardedData):
        return data
    if is_sharded(data):
        return ShardedData(data)
    return read_ranking_data(data, zero_based=zero_based, n_features=n_features, cache=cache)


def _split(
    train: SweptDataLike,
    valid: SweptDataLike | None,
    test: SweptDataLike,
    calibration: SweptDataLike | None = None,
    *,
    read: Read,
) -> Split:
    data = read(train)
    width = data.columns.count
    others = [None if part is None else read(part, width) for part in (valid, calibration)]
    return Split(data, others[0], read(test, width), others[1])


def training_data_of(data: SplitsLike) -> list[SweptDataLike]:
    """What is named as the training data of each split."""
    if isinstance(data, list | tuple):
        return [split[0] for split in _checked(data)]
    return [cast("SweptDataLike", data)]


def _checked(splits: Sequence[SplitLike]) -> Sequence[SplitLike]:
    are_right = [isinstance(each, list | tuple) and len(each) in (3, 4) for each in splits]
    if not splits or not all(are_right) or any(each[0] is None or each[2] is None for each in splits):
        raise ParameterError("a list of splits holds (train, valid, test), valid may be None; or one part more.")
    return splits


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


def _fold_files(folder: Path) -> list[list[Path]]:
    named = [path for path in folder.iterdir() if _is_fold(path)]
    places = sorted(named, key=lambda path: (len(path.name), path.name))  # Fold10 after Fold2
    if not places:
        raise FileError(folder, "has no folders Fold1, Fold2, … with train.txt, vali.txt and test.txt.")
    return [[_part(place, stems) for stems in PART_FILES] for place in places]


def _part(place: Path, stems: Sequence[str]) -> Path:
    for name in (f"{stem}{suffix}" for stem in stems for suffix in (".txt", ".txt.gz", ".letor", "")):
        if (place / name).is_file():
            return place / name
    raise FileError(place, f"has no {stems[0]}.txt.")
