"""The reader's copies of data: found, or told what they lack."""

from __future__ import annotations

import pytest

from riskrank.errors import FileError
from riskrank.papers.data_folders import (
    LETOR,
    about_documents,
    about_queries,
    features_in,
    letor_folds,
    letor_parts,
    trec_2012,
)

from .dincer.folders import write_track

LINES = "0 qid:{q} 1:0.5 2:0.1\n1 qid:{q} 1:0.2 2:0.3\n"


def test_five_parts_are_rotated(tmp_path):
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").write_text(LINES.format(q=i + 1))
    folds = letor_folds(tmp_path, LETOR, n_features=2)
    assert [(train.query_ids, valid.query_ids, test.query_ids) for train, valid, test in folds][:2] == [
        (("1", "2", "3"), ("4",), ("5",)),
        (("2", "3", "4"), ("5",), ("1",)),
    ]


def test_queries_and_documents_are_counted_from_sizes(tmp_path, monkeypatch):
    file = tmp_path / "S1.txt"
    file.write_text("".join(LINES.format(q=100 + i) for i in range(800)))
    assert (about_queries([file, file]), about_documents([file, file])) == (1600, 3200)
    monkeypatch.setattr("riskrank.papers.data_folders.SAMPLE", 100 * len(LINES.format(q=100)))
    assert (about_queries([file]), about_documents([file])) == (800, 1600)


def test_folds_as_folders_stay_files(tmp_path):
    for i in range(5):
        place = tmp_path / f"Fold{i + 1}"
        place.mkdir()
        for k, part in enumerate(("train", "vali", "test")):
            (place / f"{part}.txt").write_text(LINES.format(q=10 * i + k))
    assert letor_folds(tmp_path, LETOR)[4] == tuple(tmp_path / "Fold5" / f"{p}.txt" for p in ("train", "vali", "test"))
    (tmp_path / "Fold3" / "vali.txt").unlink()
    with pytest.raises(FileError, match=r"lacks Fold3/vali\.txt of 15 files\. Needed: LETOR 4\.0"):
        letor_folds(tmp_path, LETOR)


def test_another_number_of_features_is_told_with_its_line(tmp_path):
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").write_text(LINES.format(q=i + 1))
    with pytest.raises(FileError, match=r"S1\.txt:1: has 2 features; the paper's data have 136\."):
        letor_folds(tmp_path, LETOR, n_features=136)


def test_a_file_that_was_cut_off_is_told_before_any_work(tmp_path):
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").write_text(LINES.format(q=i + 1))
    (tmp_path / "S4.txt").write_text(LINES.format(q=4)[:-8])
    with pytest.raises(FileError, match=r"S4\.txt: is cut off: its last line has 1 of 2 features\. Needed: LETOR"):
        letor_folds(tmp_path, LETOR, n_features=2)
    assert [features_in(tmp_path / "S4.txt"), features_in(tmp_path / "S5.txt", last=True)] == [2, 2]


def test_parts_that_are_read_are_whole(tmp_path):
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").write_text(LINES.format(q=i + 1))
    assert [part.query_ids for part in letor_parts(tmp_path, LETOR)] == [(str(i + 1),) for i in range(5)]
    (tmp_path / "S4.txt").write_text(LINES.format(q=4)[:-7])
    with pytest.raises(FileError, match=r"S4\.txt: is cut off: its last line has 1 of 2 features\. Needed: LETOR"):
        letor_parts(tmp_path, LETOR)


def test_copies_of_parts_are_refused(tmp_path):
    for i in range(5):
        place = tmp_path / f"Fold{i + 1}"
        place.mkdir()
        for k, part in enumerate(("train", "vali", "test")):
            (place / f"{part}.txt").write_text(LINES.format(q=10 * i + k))
        (tmp_path / f"S{i + 1}.txt").write_text(LINES.format(q=min(i, 3)))
    with pytest.raises(FileError, match=r"S5\.txt:1: begins with the same query as S4\.txt: is it a copy\? Needed: "):
        letor_folds(tmp_path, LETOR)
    with pytest.raises(FileError, match=r"S5\.txt:1: begins with the same query"):
        letor_parts(tmp_path, LETOR)
    for i in range(5):
        (tmp_path / f"S{i + 1}.txt").unlink()
    (tmp_path / "Fold4" / "test.txt").write_text(LINES.format(q=2))
    with pytest.raises(FileError, match=r"Fold4/test\.txt:1: begins with the same query as Fold1/test\.txt"):
        letor_folds(tmp_path, LETOR)
    (tmp_path / "Fold2" / "vali.txt").write_text(LINES.format(q=10))
    with pytest.raises(FileError, match=r"Fold2/vali\.txt:1: begins with the same query as Fold2/train\.txt"):
        letor_folds(tmp_path, LETOR)


def test_other_topics_and_words_for_scores_are_told_with_what_is_needed(tmp_path):
    other = write_track(tmp_path / "topics", topics=range(201, 251))
    with pytest.raises(FileError, match=r"adhoc\.txt: judges topics 201–250; the paper's are 151–200\. Needed: scores"):
        trec_2012(other)
    run = write_track(tmp_path / "run")
    (run / "indri_rm_cata_filtered.run").write_text("201 Q0 a 1 1 x\n")
    with pytest.raises(FileError, match=r"no topic in common.* Needed: scores of TREC 2012"):
        trec_2012(run)
    words = write_track(tmp_path / "words")
    matrix = words / "web2012_err20.csv"
    lines = matrix.read_text().splitlines()
    matrix.write_text("\n".join([*lines[:3], "nan" + lines[3][7:], *lines[4:]]) + "\n")
    with pytest.raises(FileError, match=r"err20\.csv:4: scores must be numbers, got 'nan'\. Needed: scores of TREC"):
        trec_2012(words)
    matrix.write_text("\n".join([f"topic,{lines[0]}", *(f"wt-{i},{line}" for i, line in enumerate(lines[1:]))]) + "\n")
    assert len(trec_2012(words).topics) == 50  # topics may have names of their own


def test_trec_2012_says_what_it_lacks(tmp_path):
    (tmp_path / "web2012_err20.csv").write_text("run1\n0.5\n")
    with pytest.raises(FileError, match=r"lacks indri_rm_cata_filtered\.run, qrels\.adhoc\.txt of 3 files"):
        trec_2012(tmp_path)
