"""The runs of a track: from the reader's copy, or generated; and what a copy lacks."""

from __future__ import annotations

import pytest

from riskrank.errors import FileError
from riskrank.papers.dincer.track import BASELINE, MIDDLING, generated_track, track_of
from riskrank.papers.paper import Workplace

from .folders import write_folds, write_track

NAMES = {"best": "run3", BASELINE: BASELINE}


def test_the_readers_copy_has_the_rows_of_the_table(tmp_path):
    track = track_of(Workplace(write_track(tmp_path / "trec"), tmp_path), NAMES)
    assert track.is_real
    assert track.of("best") is not track.against
    assert (len(track.scores.systems), len(track.scores.topics)) == (49, 50)
    assert track.of(BASELINE).tolist() == track.against.tolist()


def test_without_data_the_best_generated_runs_stand_in_and_keep_their_own_names(tmp_path):
    track = track_of(Workplace(None, tmp_path), NAMES)
    means = dict(zip(track.scores.systems, track.scores.matrix.mean(axis=1), strict=True))
    first, second = track.shown
    assert not track.is_real
    assert means[first] == max(means.values())
    assert second == MIDDLING == track.baseline
    assert generated_track() is generated_track()  # made once
    assert track.departures[0].startswith("The scores of TREC 2012 runs were not given: generated ones stand in")


def test_a_folder_with_the_papers_other_data_leaves_generated_runs_and_says_so(tmp_path):
    track = track_of(Workplace(write_folds(tmp_path / "mslr"), tmp_path), NAMES)
    assert not track.is_real
    assert track.departures
    assert "no scores of TREC 2012 runs" in track.departures[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"topics": range(1, 51)},
            r"qrels\.adhoc\.txt: judges topics 1–50; the paper's are 151–200\. Needed: scores of",
        ),
        ({"topics": range(151, 190)}, r"judges topics 151–189; the paper's are 151–200"),
        ({"n_topics": 31}, r"web2012_err20\.csv: has 48 runs and 31 topics, the public matrix 48 and 50"),
        (
            {"most": 1.0},
            r"web2012_err20\.csv: holds \d[\d,]* of 2,400 scores that ERR@20 cannot have with these judgments",
        ),
        ({"n_runs": 2}, r"web2012_err20\.csv: has 2 runs and 50 topics, the public matrix 48 and 50"),
    ],
    ids=["other topics", "judgments cut off", "matrix cut off", "another measure", "too few runs"],
)
def test_what_a_copy_lacks_is_told_in_one_line(given, said, tmp_path):
    with pytest.raises(FileError, match=said) as told:
        track_of(Workplace(write_track(tmp_path / "trec", **given), tmp_path), NAMES)
    assert "\n" not in str(told.value)


def test_an_empty_folder_is_told_what_is_needed(tmp_path):
    with pytest.raises(FileError, match=r"lacks web2012_err20\.csv, .* of 3 files\. Needed: scores of TREC 2012"):
        track_of(Workplace(tmp_path, tmp_path), NAMES)
