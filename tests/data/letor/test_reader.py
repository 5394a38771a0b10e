from __future__ import annotations

import bz2
import errno
import gzip
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskrank.data.letor import float_memory
from riskrank.data.letor import reader as letor
from riskrank.errors import FileError

from .float32_texts import nearest_float32, numbers

TEXT = """\
2 qid:10 1:0.5 3:-1e-3 #docid = GX-1 inc = 1
0 qid:10 2:7 # GX-2

# a remark
1 qid:11 1:nan 3:16777217 #GX-3
"""


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture(params=["plain", "compiled"])
def read(request, monkeypatch):
    """Both parsers; the compiled one is made to take small files."""
    if request.param == "compiled":
        monkeypatch.setattr(letor, "SMALL", 1)
        monkeypatch.setattr(letor, "BLOCK", 64)
    return letor.read_letor


def test_a_worked_example(tmp_path, read):
    data = read(write(tmp_path / "a.txt", TEXT))
    # 16777217 = 2^24 + 1 lies halfway between two float32; the even one is 16777216.
    expected = [[0.5, 0, np.float32("-1e-3")], [0, 7, 0], [np.nan, 0, 16777216]]
    np.testing.assert_array_equal(data.features, np.array(expected, np.float32))
    assert data.features.dtype == np.float32
    assert data.labels.tolist() == [2, 0, 1]
    assert data.query_ids == ("10", "11")
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.document_ids.tolist() == ["GX-1", "GX-2", "GX-3"]
    assert data.feature(3)[0] == np.float32("-1e-3")


@pytest.mark.parametrize(
    "change",
    [gzip.compress, lambda b: b.replace(b"\n", b"\r\n"), lambda b: b"\xef\xbb\xbf" + b, bytes.rstrip],
)
def test_packed_windows_and_unfinished_files_read_the_same(tmp_path, read, change):
    plain = read(write(tmp_path / "a.txt", TEXT))
    other = read(write(tmp_path / "b.txt", change(TEXT.encode())))
    np.testing.assert_array_equal(plain.features, other.features)
    assert plain.document_ids.tolist() == other.document_ids.tolist()


def test_queries_in_any_order_are_brought_together(tmp_path, read):
    data = read(write(tmp_path / "a.txt", "0 qid:a 1:1\n1 qid:b 1:2\n2 qid:a 1:3\n"))
    assert data.query_ids == ("a", "b")
    assert data.labels.tolist() == [0, 2, 1]
    assert data.to_source_order(data.features[:, 0]).tolist() == [1, 2, 3]
    assert data.from_source_order(np.array([1, 2, 3])).tolist() == [1, 3, 2]


def test_group_sizes_come_from_the_sidecar(tmp_path, read):
    path = write(tmp_path / "a.txt", "0 1:1\n1 1:2\n2 1:3\n")
    with pytest.raises(FileError, match=r"neither 'qid:' on its lines nor group sizes in a.txt.query"):
        read(path)
    write(tmp_path / "a.txt.query", "2\n1\n")
    assert read(path).query_offsets.tolist() == [0, 2, 3]
    write(tmp_path / "a.txt.query", "2\n2\n")
    with pytest.raises(FileError, match="add up to 4, but .* has 3 documents"):
        read(path)
    write(tmp_path / "a.txt.query", "2\nx\n")
    with pytest.raises(FileError, match=r"query:2: a group size must be a whole number"):
        read(path)


def test_width_can_be_fixed_and_numbering_can_start_at_zero(tmp_path, read):
    path = write(tmp_path / "a.txt", "0 qid:1 1:1\n" * 20 + "1 qid:1 5:2\n")
    assert read(path).n_features == 5
    assert read(path, n_features=7).features[20].tolist() == [0, 0, 0, 0, 2, 0, 0]
    with pytest.raises(FileError, match="has 5 features, 4 are expected"):
        read(path, n_features=4)
    zero = read(write(tmp_path / "b.txt", "0 qid:1 0:1 1:2\n"), zero_based=True)
    assert zero.feature(0).tolist() == [1]
    with pytest.raises(FileError, match="feature numbers start at 1, got 0"):
        read(write(tmp_path / "b.txt", "0 qid:1 0:1 1:2\n"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x qid:1 1:1", "label must be a finite number, got 'x'"),
        ("nan qid:1 1:1", "label must be a finite number, got 'nan'"),
        ("0 qid: 1:1", "'qid:' must be followed by"),
        ("0 qid:1 1:1 1:2", "feature 1 stands twice"),
        ("0 qid:1 1:1 01:2", "feature 1 stands twice"),
        ("0 qid:1 a:1", "must look like 'number:value', got 'a:1'"),
        ("0 qid:1 1 2", "must look like 'number:value', got '1'"),
        ("0 qid:1 1:2:3", "must look like 'number:value', got '1:2:3'"),
        ("0 qid:1 1:2:3 4", "must look like 'number:value', got '1:2:3'"),
        ("0 qid:1 1: 2", "must look like 'number:value', got '1:'"),
        ("0 qid:1 1:nan,", "feature value must be a number within float32, or nan, got 'nan,'"),
        ("0 qid:1 1:inf", "got 'inf'"),
        ("0 qid:1 1:1e39", "got '1e39'"),
        ("0 qid:1 1:3.4028235677973366e38", "got '3.4028235677973366e38'"),
        ("0 qid:1 1:1_0", "got '1_0'"),
        ("0 qid:1 1:1.2.3", "got '1.2.3'"),
        ("0 qid:1 99999999:1", "feature numbers must stay below"),
        ("0 1:1", "either every line needs 'qid:' or none"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path, read, line, message):
    path = write(tmp_path / "a.txt", f"1 qid:1 1:1\n1 qid:1 1:2\n{line}\n1 qid:1 1:3\n")
    with pytest.raises(FileError) as caught:
        read(path)
    assert message in str(caught.value)
    if "either" not in message:
        assert str(caught.value).startswith(f"{path}:3: ")


@pytest.mark.parametrize("line", ["1 qid:1 1:x", "\0", "", "x qid:1 1:1"])
def test_the_first_lines_tell_what_the_whole_file_would(tmp_path, line):
    (tmp_path / "a.txt").write_text(f"{line}\n")
    with pytest.raises(FileError) as whole:
        letor.read_letor(tmp_path / "a.txt")
    with pytest.raises(FileError) as first:
        letor.check_letor(tmp_path / "a.txt")
    assert str(first.value) == str(whole.value)


def test_of_a_large_file_only_whole_lines_of_its_beginning_are_looked_at(tmp_path):
    lines = [f"1 qid:1 1:{number}.25" for number in range(10_000)]
    (tmp_path / "a.txt").write_text("\n".join([*lines, "nonsense"]))
    letor.check_letor(tmp_path / "a.txt")
    (tmp_path / "a.txt").write_text("\n".join([*lines[:99], "nonsense", *lines]))
    with pytest.raises(FileError, match="a.txt:100: "):
        letor.check_letor(tmp_path / "a.txt")


def test_bytes_that_are_no_text_are_refused(tmp_path, read):
    with pytest.raises(FileError, match=r":2: is not UTF-8 text"):
        read(write(tmp_path / "a.txt", b"1 qid:1 1:1\n1 qid:\xff 1:1\n"))
    with pytest.raises(FileError, match="has no documents"):
        read(write(tmp_path / "a.txt", b"# only\n# remarks\n" * 20))


@given(st.lists(numbers, min_size=1, max_size=30))
def test_both_parsers_give_the_nearest_float32(texts):
    import tempfile
    from pathlib import Path

    texts = [t for t in texts if abs(float(t)) < 3.4e38]
    expected = [nearest_float32(t) for t in texts]
    line = "0 qid:1 " + " ".join(f"{i}:{t}" for i, t in enumerate(texts, start=1)) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "a.txt", line)
        for small in (1, letor.SMALL):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(letor, "SMALL", small)
                features = letor.read_letor(path).features[0]
            np.testing.assert_array_equal(features, np.array(expected, np.float32))


@given(st.binary(max_size=300) | st.text(alphabet="0123456789.:#eE-+naqid \t\n_", max_size=300).map(str.encode))
def test_the_compiled_parser_agrees_with_the_plain_one_on_anything(content):
    import tempfile
    from pathlib import Path

    def outcome(small):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(letor, "SMALL", small)
            try:
                data = letor.read_letor(path)
            except FileError as error:
                return str(error)
        ids = None if data.document_ids is None else data.document_ids.tolist()
        return (
            data.labels.tolist(),
            data.query_ids,
            data.query_offsets.tolist(),
            ids,
            repr(data.features.tolist()),
        )

    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "a.txt", content)
        assert outcome(1) == outcome(letor.SMALL)


def test_real_files_agree_with_scikit_learn(shared_data, monkeypatch):
    from sklearn.datasets import load_svmlight_file

    for name in ("mq2008/S1.txt", "mslr_sample/msn1.fold1.test.5k.txt"):
        path = shared_data / name
        theirs, labels, queries = load_svmlight_file(str(path), query_id=True)
        for small in (letor.SMALL, 1):
            monkeypatch.setattr(letor, "SMALL", small)
            data = letor.read_letor(path)
            np.testing.assert_array_equal(data.features, theirs.toarray().astype(np.float32))
            np.testing.assert_array_equal(data.labels, labels)
            np.testing.assert_array_equal(np.repeat(data.query_ids, np.diff(data.query_offsets)).astype(int), queries)


def test_mq2008_and_lightgbms_example_have_the_published_counts(shared_data):
    parts = [letor.read_letor(shared_data / "mq2008" / f"S{k}.txt") for k in range(1, 6)]
    assert sum(part.n_queries for part in parts) == 784
    assert sum(part.n_documents for part in parts) == 15211
    assert all(part.n_features == 46 and part.document_ids is not None for part in parts)
    assert "GX" in parts[0].document_ids[0]
    without = sum((np.maximum.reduceat(p.labels, p.query_offsets[:-1]) <= 0).sum() for p in parts)
    assert without == 220
    lightgbm = letor.read_letor(shared_data / "lightgbm_rank" / "rank.train")
    assert lightgbm.n_queries == 201


@pytest.mark.parametrize("kind", ["query", "group"])
@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.txt", bytes), ("a.txt.gz", gzip.compress), ("a.txt.bz2", bz2.compress), ("a.txt.xz", lzma.compress)],
)
def test_group_sizes_are_beside_plain_and_packed_files_as_lightgbm_or_xgboost_name_them(
    tmp_path, read, name, pack, kind
):
    path = write(tmp_path / name, pack(b"0 1:1\n1 1:2\n2 1:3\n"))
    write(tmp_path / f"a.txt.{kind}", "1\n2\n")
    assert read(path).query_offsets.tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    "marker",
    [
        "NULL",
        "null",
        "1.797e308",
        "-1.797e308",
        "1.7976931348623157E308",
        "1.79769313486232e+308",  # rounded up, so that it is no double any more
        "179769313486231570" + 291 * "0",
        "nan",
    ],
)
def test_markers_of_missing_values_are_nan(tmp_path, read, marker):
    data = read(write(tmp_path / "a.txt", f"0 qid:1 1:1 2:{marker} 3:2\n" * 5))
    np.testing.assert_array_equal(data.features, np.array([[1, np.nan, 2]] * 5, np.float32))


@pytest.mark.parametrize("value", ["1.8e308", "1.79e308", "1e300", "-inf", "1e999999999", "nulls", "NUL"])
def test_what_only_looks_like_a_missing_value_is_refused(tmp_path, read, value):
    with pytest.raises(FileError, match=r"a.txt:2: feature value must be a number within float32, or nan, got"):
        read(write(tmp_path / "a.txt", f"0 qid:1 1:1\n0 qid:1 1:1 2:{value}\n"))


def test_sparse_ids_with_gaps_are_columns_of_their_own(tmp_path, read):
    data = read(write(tmp_path / "yahoo.txt", "0 qid:1 10:0.5 700:0.25\n2 qid:1 11:1 698:0.125\n"))
    assert data.n_features == 700
    assert data.feature(10).tolist() == [0.5, 0]
    assert data.feature(698).tolist() == [0, 0.125]
    assert np.count_nonzero(data.features) == 4


def test_a_dense_file_is_widened_only_if_somebody_says_so(tmp_path, read):
    dense = write(tmp_path / "dense.txt", "0 qid:1 1:1 2:0\n" * 30)
    with pytest.raises(
        FileError, match=r"has 2 features on every line, 4 are expected. If the others are 0, say so \(sparse=True\)"
    ):
        read(dense, n_features=4)
    assert read(dense, n_features=4, sparse=True).features.tolist() == [[1, 0, 0, 0]] * 30
    assert read(dense, n_features=2).n_features == 2
    sparse = write(tmp_path / "sparse.txt", "0 qid:1 1:1 2:0\n" * 30 + "0 qid:1 2:1\n")
    assert read(sparse, n_features=4).n_features == 4


def test_more_documents_and_features_than_there_is_memory_for_are_told_so(tmp_path, monkeypatch):
    def lacking(*_, **__):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(letor, "SMALL", 1)
    monkeypatch.setattr(float_memory.mmap, "mmap", lacking)
    with pytest.raises(FileError, match="its documents × features do not fit into memory"):
        letor.read_letor(write(tmp_path / "train.txt", TEXT))
