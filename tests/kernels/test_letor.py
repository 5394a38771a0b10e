"""The compiled parser of LETOR text, against a plain loop over lines."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskrank.data.letor.letor_lines import exact_float32
from riskrank.kernels.letor import LetorArrays, parse_block


def parsed(text, *, width, zero_based=False):
    """The counts of a text, and arrays of this many features."""
    n = text.count("\n") + 1
    spans = [np.empty((n, 2), np.int64) for _ in range(2)]
    rows, doubtful = np.empty(n, np.int64), np.empty((1000, 4), np.int64)
    arrays = LetorArrays(np.full((n, width), 7.0, np.float32), np.empty(n), spans[0], rows, spans[1], doubtful)
    return parse_block(np.frombuffer(text.encode(), np.uint8), zero_based, arrays), arrays


def plain(text, *, width, zero_based):
    """Features, labels, ids of queries and of documents, line by line."""
    features, labels, queries, documents = [], [], [], []
    for line in text.split("\n"):
        content, _, comment = line.partition("#")
        if not content.strip():
            continue
        label, *fields = content.split()
        queries.append(fields.pop(0)[4:] if fields and fields[0].lower().startswith("qid:") else None)
        row = np.zeros(width, np.float32)
        for field in fields:
            number, value = field.split(":")
            row[int(number) - (0 if zero_based else 1)] = exact_float32(value.encode())
        features.append(row)
        labels.append(float(label))
        documents.append(re.match(r"[#\s]*(?:docid\s*=\s*)?(\S*)", comment, re.IGNORECASE)[1])
    return features, labels, queries, documents


digits = st.text("0123456789", min_size=1, max_size=12)
values = st.one_of(
    digits,
    st.tuples(digits, digits).map(".".join),
    st.tuples(st.sampled_from(["", "-", "+"]), digits, digits, st.sampled_from("eE"), st.integers(-20, 20)).map(
        lambda parts: f"{parts[0]}{parts[1]}.{parts[2]}{parts[3]}{parts[4]}"
    ),
    st.sampled_from(
        ["nan", "NaN", ".5", "5.", "0", "-0.0", "16777217", "16777217.00000000001", "1e-46", "0.1" + "0" * 30]
    ),
)
blanks = st.sampled_from([" ", "  ", "\t", " \t"])
remarks = st.sampled_from(["", "#", "# d1", "#docid = GX-1 inc = 1", " # docid=x", "## DOCID = y", "# docid z"])


@st.composite
def letor_texts(draw, zero_based):
    has_queries = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(1, 8))):
        numbers = sorted(draw(st.sets(st.integers(0 if zero_based else 1, 9), max_size=5)))
        query = [f"qid:{draw(st.sampled_from(['1', '2', 'a-b', 'é']))}"] if has_queries else []
        label = draw(st.sampled_from(["0", "1", "2.5", "-1", "4e0"]))
        fields = [label, *query, *(f"{number}:{draw(values)}" for number in numbers)]
        lines.append(
            "".join(field + draw(blanks) for field in fields) + draw(remarks) + draw(st.sampled_from(["", "\r"]))
        )
        lines += draw(st.sampled_from([[], [], [""], ["# a remark"], [" \t"]]))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


@pytest.mark.parametrize("zero_based", [False, True], ids=["from 1", "from 0"])
@settings(max_examples=200)
@given(data=st.data())
def test_usual_text_is_parsed_as_a_plain_loop_does(zero_based, data):
    text = data.draw(letor_texts(zero_based))
    counts, arrays = parsed(text, width=10, zero_based=zero_based)
    features, labels, queries, documents = plain(text, width=10, zero_based=zero_based)
    raw = text.encode()
    assert counts.is_usual
    assert counts.documents == len(labels)
    assert arrays.labels[: counts.documents].tolist() == labels
    for row, column, start, end in arrays.doubtful[: counts.doubtful].tolist():  # left to exact arithmetic
        arrays.features[row, column] = exact_float32(raw[start:end])
    np.testing.assert_array_equal(arrays.features[: counts.documents], features)
    spans = arrays.document_spans[: counts.documents].tolist()
    assert [raw[a:b].decode() for a, b in spans] == documents
    assert counts.documents_with_id == sum(map(bool, documents))
    starts = [i for i, query in enumerate(queries) if query is not None and (i == 0 or query != queries[i - 1])]
    assert arrays.query_rows[: counts.queries].tolist() == starts
    spans = arrays.query_spans[: counts.queries].tolist()
    assert [raw[a:b].decode() for a, b in spans] == [queries[i] for i in starts]


def test_rows_that_do_not_fit_tell_how_wide_they_are():
    text = "1 qid:1 1:5 7:2\n0 qid:1 2:3\n"
    counts, _ = parsed(text, width=2)
    assert counts.is_usual
    assert counts.width == 7
    assert parsed(text, width=7)[1].features[:2].tolist() == [[5, 0, 0, 0, 0, 0, 2], [0, 3, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    "text",
    ["x qid:1 1:1\n", "1 qid: 1:1\n", "1 qid:1 1:x\n", "1 qid:1 1\n", "1 qid:1 2:1 1:1\n", "1 qid:1 1:1 1:2\n",
     "1 qid:1 0:1\n", "1 qid:1 1:1\n1 1:1\n", "1 1:1\n1 qid:1 1:1\n", "1 qid:1 1:inf\n", "1 qid:1 1:1_0\n",
     "nan qid:1 1:1\n", "1e300 qid:1 1:1\n", "1 qid:1 1:1:1\n", "1 qid:1 1:1e\n", "1 qid:1 1:.\n", "1 qid:1 1:\n"],
)  # fmt: skip
def test_what_is_unusual_is_left_to_the_plain_reader(text):
    assert not parsed(text, width=3)[0].is_usual
