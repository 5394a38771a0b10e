"""Synthetic data as files: what they hold, and that nothing is replaced."""

from __future__ import annotations

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic import synthetic_files
from riskrank.errors import FileError, ParameterError

SMALL = {"documents_per_query": 6, "n_features": 20}


@pytest.mark.parametrize(("kind", "make"), [("cubic", rr.cubic_data), ("web-search", rr.web_search_data)])
def test_a_file_holds_what_the_function_makes(kind, make, tmp_path, monkeypatch):
    monkeypatch.setattr(synthetic_files, "QUERIES_AT_ONCE", 3)
    (path,) = rr.write_synthetic(kind, tmp_path / "data.txt", n_queries=[7], random_state=4, **SMALL)
    written, made = rr.read_letor(path), make(7, random_state=4, **SMALL)
    np.testing.assert_array_equal(written.features, made.features)
    np.testing.assert_array_equal(written.labels, made.labels)
    assert written.query_ids == made.query_ids


def test_three_numbers_make_parts_of_one_draw(tmp_path):
    files = rr.write_synthetic("cubic", tmp_path / "cubic", n_queries=[5, 2, 3], **SMALL)
    assert [file.name for file in files] == ["train.txt", "valid.txt", "test.txt"]
    whole = rr.cubic_data(10, **SMALL)
    parts = [rr.read_letor(file) for file in files]
    assert [part.n_queries for part in parts] == [5, 2, 3]
    np.testing.assert_array_equal(np.concatenate([part.labels for part in parts]), whole.labels)


def test_runs_are_a_folder_of_judgments_and_runs(tmp_path):
    files = rr.write_synthetic("runs", tmp_path / "runs", n_queries=[4], documents_per_query=30, random_state=1)
    assert [file.name for file in files][:2] == ["qrels.txt", "bm25.run"]
    made = rr.synthetic_runs(n_topics=4, depth=30, random_state=1)
    assert files[0].read_text().splitlines() == made.qrels
    assert {line.split()[0] for line in files[1].read_text().splitlines()} == {"101", "102", "103", "104"}


def test_nothing_is_replaced_unless_asked(tmp_path):
    for kind, place in (("cubic", "a.txt"), ("runs", "runs")):
        first = rr.write_synthetic(kind, tmp_path / place, n_queries=[2])
        before = first[-1].read_bytes()
        with pytest.raises(FileError, match="exists"):
            rr.write_synthetic(kind, tmp_path / place, n_queries=[2], random_state=1)
        assert first[-1].read_bytes() == before
        rr.write_synthetic(kind, tmp_path / place, n_queries=[2], random_state=1, overwrite=True)
        assert first[-1].read_bytes() != before
    with pytest.raises(FileError, match="several files need a folder"):
        rr.write_synthetic("cubic", tmp_path / "a.txt", n_queries=[2, 2, 2])


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("quartic", {}, "kind must be one of cubic, web-search, runs"),
        ("cubic", {"n_queries": [2, 3]}, "one number, or three"),
        ("cubic", {"n_queries": [0]}, "n_queries must be a whole number from 1"),
        ("cubic", {"n_features": 0}, "n_features must be a whole number from 1"),
        ("web-search", {"n_features": 5}, "20 features are needed"),
        ("runs", {"n_features": 5}, "no features"),
    ],
)
def test_what_cannot_be_made_leaves_nothing(kind, options, message, tmp_path):
    with pytest.raises(ParameterError, match=message):
        rr.write_synthetic(kind, tmp_path / "deep" / "place", **options)
    assert list(tmp_path.iterdir()) == []
