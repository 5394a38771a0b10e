from __future__ import annotations

import io
import random

import polars as pl
import pytest

import riskrank as rr
from riskrank.data.opening import packed_streams
from riskrank.data.tables import arrow_sizes
from riskrank.data.tables.arrow_sizes import check_arrow
from riskrank.errors import FileError


def as_arrow(frame, compression="zstd"):
    frame.write_ipc(buffer := io.BytesIO(), compression=compression)
    return buffer.getvalue()


@pytest.fixture
def sizes(monkeypatch):
    """What files were said to unpack to."""
    seen = []
    monkeypatch.setattr(arrow_sizes, "check_unpacked", lambda _path, unpacked, _packed: seen.append(unpacked))
    return seen


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_sizes_are_those_in_memory(sizes, compression):
    numbers = pl.DataFrame({"a": range(10_000), "b": [0.5] * 10_000})
    check_arrow("a.arrow", as_arrow(numbers, compression))
    assert 160_000 <= sizes[0] < 165_000


def test_texts_lists_and_categories_count(sizes):
    long = ["x" * 100_000, "y"]
    for column in (pl.Series(long), pl.Series(long, dtype=pl.Categorical), pl.Series([long, long])):
        check_arrow("a.arrow", as_arrow(pl.DataFrame({"a": column})))
    assert all(size >= 100_000 for size in sizes)


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_a_bomb_is_refused_before_polars_unpacks_it(tmp_path, dtype, monkeypatch):
    cells = pl.Series(["a" * 2**22, "b"], dtype=dtype)
    (tmp_path / "a.arrow").write_bytes(as_arrow(pl.DataFrame({"qid": [1, 1], "label": [0, 1], "a": cells})))
    monkeypatch.setattr(packed_streams, "HARMLESS", 2**20)
    with pytest.raises(FileError, match="unpacks to more than files of data do"):
        rr.read_table(tmp_path / "a.arrow")


def test_no_byte_that_changes_is_more_than_one_line():
    whole, draw = (
        as_arrow(pl.DataFrame({"a": range(50), "b": pl.Series(["x"] * 50, dtype=pl.Categorical)})),
        random.Random(1),
    )
    n_refused = 0
    for _ in range(1000):
        changed = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(changed))
            changed[at : at + 4] = draw.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", draw.randbytes(4)])
        try:
            check_arrow("a.arrow", bytes(changed[: draw.choice([None, None, -1])]))
        except FileError:
            n_refused += 1
    assert 0 < n_refused < 1000
