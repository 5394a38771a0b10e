"""How the queries of a sweep are divided."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.letor import reader
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import AlignmentError, FileError, ParameterError
from riskrank.tradeoff import query_splits

from .small_sweeps import letor


def splits_of(data, **options):
    return [make() for make in query_splits.splits_of(data, **options)]


@pytest.fixture(scope="module")
def data():
    return web_search_data(23, documents_per_query=4, n_features=20)


def same(one, other):
    assert one.query_ids == other.query_ids
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_array_equal(one.query_offsets, other.query_offsets)


@pytest.fixture
def parts(data):
    return [data.take(slice(start, start + 5)) for start in (0, 5, 10, 15)]


# One fixed split.


def test_a_fixed_split_has_the_parts_that_were_given(parts):
    train, valid, test, calibration = parts
    splits = splits_of(train, valid=valid, test=test, calibration=calibration)
    assert len(splits) == 1
    (split,) = splits
    assert (split.train, split.valid, split.test, split.calibration) == (train, valid, test, calibration)
    assert list(split.parts) == ["train", "test", "valid", "calibration"]


def test_only_what_is_given_is_judged(parts):
    train, valid, test, calibration = parts
    for given in ({}, {"valid": valid}, {"calibration": calibration}):
        (split,) = splits_of(train, test=test, **given)
        assert set(split.parts) == {"train", "test", *given}


def test_files_are_read_as_wide_as_the_training_data(parts, tmp_path):
    train, valid, test, _ = parts
    narrow = np.array(test.features)
    narrow[:, -3:] = 0  # which its file does not name
    test = rr.RankingData(narrow, test.labels, test.query_offsets, test.query_ids)
    for name, part in (("train", train), ("valid", valid), ("test", test)):
        (tmp_path / f"{name}.txt").write_text(letor(part))
    (split,) = splits_of(tmp_path / "train.txt", valid=str(tmp_path / "valid.txt"), test=tmp_path / "test.txt")
    for part, expected in ((split.train, train), (split.valid, valid), (split.test, test)):
        same(part, expected)


def test_features_may_be_numbered_from_0(parts, tmp_path):
    for name, part in zip(("train", "test"), parts, strict=False):
        (tmp_path / name).write_text(letor(part, first=0))
    (split,) = splits_of(tmp_path / "train", test=tmp_path / "test", zero_based=True)
    assert (split.train.first_feature, split.test.first_feature) == (0, 0)
    same(split.test, parts[1])


# Folds at random.


@pytest.mark.parametrize("folds", [3, 5, 23])
def test_every_query_is_tested_once_validates_once_and_trains_elsewhere(data, folds):
    splits = splits_of(data, folds=folds)
    assert len(splits) == folds
    everything = sorted(data.query_ids)
    drawn = list(splits)
    assert sorted(q for split in drawn for q in split.test.query_ids) == everything
    assert sorted(q for split in drawn for q in split.valid.query_ids) == everything
    for split in drawn:
        parts = [split.train.query_ids, split.valid.query_ids, split.test.query_ids]
        assert sorted(q for part in parts for q in part) == everything  # so no two of them overlap
        assert split.calibration is None


def test_folds_are_of_nearly_the_same_size(data):
    sizes = [split.test.n_queries for split in splits_of(data, folds=5)]
    assert sorted(sizes) == [4, 4, 5, 5, 5]


def test_queries_keep_their_documents_and_their_order(data):
    for split in splits_of(data, folds=4):
        for part in (split.train, split.valid, split.test):
            positions = [data.query_ids.index(query) for query in part.query_ids]
            assert positions == sorted(positions)
            same(part, data.take(positions))


def test_the_seed_decides_the_folds(data):
    def tested(seed):
        return [split.test.query_ids for split in splits_of(data, folds=4, random_state=seed)]

    assert tested(0) == tested(0) != tested(1)


def test_folds_of_a_file_are_those_of_its_data(data, tmp_path):
    (tmp_path / "all.txt").write_text(letor(data))
    for split, expected in zip(splits_of(tmp_path / "all.txt", folds=3), splits_of(data, folds=3), strict=True):
        same(split.train, expected.train)
        same(split.test, expected.test)


# Folds as files.


@pytest.fixture
def folder(parts, tmp_path):
    place = tmp_path / "MSLR"
    for number in (1, 2):
        (place / f"Fold{number}").mkdir(parents=True)
        for name, part in zip(("train", "vali", "test"), parts[number - 1 :], strict=False):
            (place / f"Fold{number}" / f"{name}.txt").write_text(letor(part))
    (place / "readme.txt").write_text("about the data")
    (place / "figures").mkdir()
    return place


def test_a_folder_of_folds_has_their_files_as_its_splits(folder, parts):
    for given in (folder, str(folder)):
        splits = splits_of(given)
        assert len(splits) == 2
        for number, split in enumerate(splits):
            for part, expected in zip((split.train, split.valid, split.test), parts[number:], strict=False):
                same(part, expected)


def test_files_of_folds_that_are_kept_are_not_read_again(folder, tmp_path, monkeypatch):
    plain = [split.train.features for split in splits_of(folder)]
    for _ in range(2):
        kept = [split.train.features for split in splits_of(folder, cache=tmp_path / "kept")]
        assert all(map(np.array_equal, plain, kept))
        monkeypatch.setattr(reader, "read_blocks", lambda *_, **__: (pytest.fail("was read") for _ in "x"))


@pytest.mark.parametrize(
    ("train", "valid", "test"),
    [
        ("train", "valid", "test"),
        ("train.letor", "validation.txt", "test.letor"),
        ("train.txt.gz", "dev.txt", "test.txt.gz"),
    ],
)
def test_the_files_of_a_fold_have_their_usual_names(folder, parts, train, valid, test):
    for old, new in (("train", train), ("vali", valid), ("test", test)):
        for fold in ("Fold1", "Fold2"):
            content = (folder / fold / f"{old}.txt").read_bytes()
            (folder / fold / f"{old}.txt").unlink()
            (folder / fold / new).write_bytes(gzip.compress(content) if new.endswith(".gz") else content)
    first = next(iter(splits_of(folder)))
    same(first.valid, parts[1])
    same(first.test, parts[2])


def test_a_fold_lacks_nothing(folder):
    (folder / "Fold2" / "vali.txt").unlink()
    with pytest.raises(FileError, match="Fold2: has no vali.txt"):
        splits_of(folder)


def test_a_folder_without_folds_is_refused(folder):
    with pytest.raises(FileError, match="figures: has no folders Fold1, Fold2"):
        splits_of(folder / "figures")


# A list.


def test_a_list_of_triples_has_them_as_its_splits(parts, tmp_path):
    train, valid, test, calibration = parts
    (tmp_path / "test.txt").write_text(letor(test))
    splits = splits_of([(train, valid, test), [valid, None, tmp_path / "test.txt"], (train, None, test, calibration)])
    assert len(splits) == 3
    first, second, third = splits
    assert (first.train, first.valid, first.test) == (train, valid, test)
    assert (second.train, second.valid) == (valid, None)
    same(second.test, test)
    assert third.calibration is calibration


def test_files_of_a_list_may_be_numbered_from_0(parts, tmp_path):
    for name, part in zip(("train", "test"), parts, strict=False):
        (tmp_path / name).write_text(letor(part, first=0))
    (split,) = splits_of([(tmp_path / "train", None, tmp_path / "test")], zero_based=True)
    assert split.train.first_feature == 0


def test_files_of_a_list_are_read_as_wide_as_the_training_data(parts, tmp_path):
    narrow = rr.RankingData(parts[1].features[:, :17], parts[1].labels, parts[1].query_offsets, parts[1].query_ids)
    (tmp_path / "test").write_text(letor(narrow))
    (split,) = splits_of([(parts[0], None, tmp_path / "test")])
    assert split.test.n_features == 20


@pytest.mark.parametrize(
    "make", [lambda a, b, c: (a, b), lambda a, b, c: (a, b, None), lambda a, b, c: (a, b, c, c, c)]
)
def test_an_entry_of_a_list_that_is_no_split_is_refused(parts, make):
    with pytest.raises(ParameterError, match="train, valid, test"):
        list(splits_of([make(*parts[:3])]))


def test_parts_that_are_not_in_a_list_of_splits_are_refused(parts):
    with pytest.raises(ParameterError, match="a list of splits holds .train, valid, test."):
        splits_of(tuple(parts[:3]))


@pytest.mark.parametrize("nothing", [[], ()])
def test_an_empty_list_of_splits_is_refused(nothing):
    with pytest.raises(ParameterError, match="a list of splits holds .train, valid, test."):
        splits_of(nothing)


@pytest.mark.parametrize("options", [{}, {"folds": 3}, {"test": "test.txt"}])
@pytest.mark.parametrize(
    ("data", "shown"), [(None, "None"), (7, "7"), ({"a": 1}, "{'a': 1}"), (np.zeros(3), r"array\(")]
)
def test_what_holds_no_queries_is_refused_as_such(data, shown, options):
    forms = "RankingData, a file of feature data, shards, a folder of folds or a list of .train, valid, test."
    message = f"data must be {forms}, got {shown}"
    with pytest.raises(ParameterError, match=message):
        splits_of(data, **options)


# What is refused.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "a sweep needs queries to test on: pass test=, or folds="),
        ({"folds": 2}, "folds must be a whole number from 3 .train, validate, test., got 2"),
        ({"folds": 0}, "folds must be a whole number from 3"),
        ({"folds": 3.0}, "folds must be a whole number from 3"),
        ({"folds": "5"}, "folds must be a whole number from 3"),
        ({"folds": True}, "folds must be a whole number from 3"),
        ({"folds": 24}, "23 queries cannot be divided into 24 folds"),
    ],
)
def test_what_cannot_be_divided_is_refused(data, options, message):
    with pytest.raises(ParameterError, match=message):
        splits_of(data, **options)


@pytest.mark.parametrize("name", ["valid", "test", "calibration"])
def test_parts_beside_parts_are_refused(name, data, folder, parts):
    given = {name: parts[0]}
    with pytest.raises(ParameterError, match="with folds, all queries come from the one file"):
        splits_of(data, folds=3, **given)
    with pytest.raises(ParameterError, match=f"MSLR is a folder of folds, which has its own parts: leave {name} out"):
        splits_of(folder, **given)
    with pytest.raises(ParameterError, match="has its own parts: leave the others out"):
        splits_of([tuple(parts[:3])], **given)


def test_folds_of_folds_are_refused(folder, parts):
    with pytest.raises(ParameterError, match="leave folds out"):
        splits_of(folder, folds=3)
    with pytest.raises(ParameterError, match="leave the others out"):
        splits_of([tuple(parts[:3])], folds=3)


@pytest.mark.parametrize("name", ["valid", "test", "calibration"])
def test_parts_of_another_width_are_refused(name, parts):
    narrow = rr.RankingData(parts[1].features[:, :7], parts[1].labels, parts[1].query_offsets, parts[1].query_ids)
    with pytest.raises(AlignmentError, match=f"{name} data have 7 features, training data have 20"):
        splits_of(parts[0], **{"test": parts[2], name: narrow})


def test_files_that_are_not_there_are_named(parts, tmp_path):
    with pytest.raises(FileError, match="nowhere.txt: no such file"):
        splits_of(tmp_path / "nowhere.txt", test=parts[0])
    with pytest.raises(FileError, match="nowhere.txt: no such file"):
        splits_of(parts[0], test=tmp_path / "nowhere.txt")


def test_a_folder_of_tables_is_one_table_unless_it_has_folds(tmp_path):
    import polars as pl

    frame = pl.DataFrame({"qid": [1, 2, 3, 4], "label": [0, 1, 0, 1], "a": [1.0, 2.0, 3.0, 4.0]})
    (tmp_path / "parts").mkdir()
    frame[:2].write_parquet(tmp_path / "parts" / "0.parquet")
    frame[2:].write_parquet(tmp_path / "parts" / "1.parquet")
    (split,) = splits_of(tmp_path / "parts", test=tmp_path / "parts")
    assert split.train.query_ids == ("1", "2", "3", "4")
    (tmp_path / "parts" / "Fold1").mkdir()
    with pytest.raises(FileError, match="has no train.txt"):
        splits_of(tmp_path / "parts")


# Shards.


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    for name, seed in (("train", 1), ("test", 2)):
        data = rr.web_search_data(6, documents_per_query=5, n_features=20, random_state=seed)
        (folder / f"{name}.txt").write_text(letor(data))
        rr.write_shards(folder / f"{name}.txt", folder / name, n_shards=2)
    return folder


def test_shards_are_parts_whose_documents_are_read_when_they_are_asked_for(shards):
    for train, test in ((shards / "train", str(shards / "test")), (rr.ShardedData(shards / "train"), shards / "test")):
        (split,) = splits_of(train, test=test)
        assert split.is_sharded
        held = split.held()
        assert list(held) == ["train", "test"]
        for name, part in held.items():
            whole = rr.read_letor(shards / f"{name}.txt")
            assert part.query_ids == whole.query_ids
            np.testing.assert_array_equal(part.features, whole.features)


def test_shards_are_neither_divided_nor_weighted_nor_mixed_with_other_data(shards):
    train, test = shards / "train", shards / "test"
    with pytest.raises(ParameterError, match="shards are not divided into folds: shard the parts"):
        splits_of(train, folds=3)
    with pytest.raises(ParameterError, match="data in shards hold all that is known of them: leave weights= out"):
        splits_of(train, test=test, weights={"1": 2.0})
    with pytest.raises(ParameterError, match="training data are in shards, test data are not: shard all"):
        splits_of(train, test=shards / "test.txt")
    with pytest.raises(ParameterError, match="training data are not in shards, valid data are: shard all"):
        splits_of(shards / "train.txt", test=shards / "test.txt", valid=test)
