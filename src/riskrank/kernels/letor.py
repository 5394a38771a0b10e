"""The compiled LETOR parser: well-formed text to numbers, as fast as memory allows.

It handles what nearly every line looks like. On anything unusual it gives up, and the caller parses that block with the
plain reader, which knows every rule and every error message.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from riskrank.kernels.compiled import compiled

_POWERS = np.array([float(f"1e{i}") for i in range(309)])
_EXACT_POWER = 22  # 10^22 is the last power of ten that a double holds exactly
_EXACT_INTEGER = 1 << 53
_SMALL_INTEGER = 1 << 24
_POWERS_32 = np.array([float(f"1e{i}") for i in range(11)], np.float32)  # exact up to 10^10
_LARGEST = 3.4e38
_BELOW, _ABOVE = 1 - 2.0**-51, 1 + 2.0**-51  # wider than the error of any value computed here

_NEWLINE, _BLANK, _TAB, _RETURN = ord("\n"), ord(" "), ord("\t"), ord("\r")
_HASH, _COLON, _EQUALS, _DOT, _PLUS, _MINUS = ord("#"), ord(":"), ord("="), ord("."), ord("+"), ord("-")
_ZERO, _NINE, _E_SMALL, _E_LARGE = ord("0"), ord("9"), ord("e"), ord("E")
_QID = np.frombuffer(b"qid:", dtype=np.uint8)
_DOCID = np.frombuffer(b"docid", dtype=np.uint8)
_NAN = np.frombuffer(b"nan", dtype=np.uint8)
_NULL = np.frombuffer(b"null", dtype=np.uint8)
_MISSING_FROM, _MISSING_TO = 1.797e288, 1.7977e288  # a largest double, 10^20 times smaller: a missing value


@compiled(inline="always")
def _is_blank(byte):
    return byte == _BLANK or byte == _TAB or byte == _RETURN


@compiled
def _starts_with(text, start, word):
    if start + word.size > text.size:
        return False
    for k in range(word.size):
        byte = text[start + k]
        if byte != word[k] and byte != word[k] - 32:  # either case
            return False
    return True


@compiled
def _scan_number(text, at):
    """Any decimal text as (end, is negative, mantissa, exponent, all digits kept); end is 0 without a number."""
    size = text.size
    negative = False
    if at < size and (text[at] == _MINUS or text[at] == _PLUS):
        negative = text[at] == _MINUS
        at += 1
    mantissa = np.int64(0)
    exponent = digits = kept = 0
    seen_dot = False
    while at < size:
        byte = text[at]
        if _ZERO <= byte <= _NINE:
            digits += 1
            if kept < 18:  # further digits change the value by less than 1e-17 of it
                mantissa = mantissa * 10 + (np.int64(byte) - _ZERO)
                kept += mantissa != 0
                exponent -= seen_dot
            else:
                exponent += not seen_dot
        elif byte == _DOT and not seen_dot:
            seen_dot = True
        else:
            break
        at += 1
    if digits == 0:
        return 0, negative, mantissa, 0, False
    if at < size and (text[at] == _E_SMALL or text[at] == _E_LARGE):
        at += 1
        lowered = False
        if at < size and (text[at] == _MINUS or text[at] == _PLUS):
            lowered = text[at] == _MINUS
            at += 1
        power = 0
        first = at
        while at < size and _ZERO <= text[at] <= _NINE:
            power = min(power * 10 + (np.int64(text[at]) - _ZERO), 100_000)
            at += 1
        if at == first:
            return 0, negative, mantissa, 0, False
        exponent += -power if lowered else power
    return at, negative, mantissa, exponent, kept < 18


@compiled(inline="always")
def _to_double(mantissa, exponent):
    """mantissa · 10^exponent to within 2^-52 of its value; exact rounding where both operands are exact."""
    if exponent < 0:
        return float(mantissa) / _POWERS[-exponent]
    return float(mantissa) * _POWERS[exponent]


@compiled
def _to_float32(mantissa, exponent, all_digits):
    """The float32 nearest to mantissa · 10^exponent, and whether that is certain."""
    if mantissa == 0:
        return np.float32(0), True
    if 288 < exponent < 309 and _MISSING_FROM <= float(mantissa) * _POWERS[exponent - 20] <= _MISSING_TO:
        return np.float32(np.nan), True
    if exponent < -300 or exponent > 280:
        return np.float32(0), False
    value = _to_double(mantissa, exponent)
    if value > _LARGEST:
        return np.float32(0), False
    low, high = np.float32(value * _BELOW), np.float32(value * _ABOVE)
    if low == high:  # every double near the true value rounds to the same float32
        return low, True
    # Close to the midpoint of two float32. The double is the correctly rounded quotient when both operands
    # are exact, so it lies on the right side of the midpoint or on the midpoint itself.
    if all_digits and mantissa <= _EXACT_INTEGER and -12 <= exponent <= 0:
        middle = 0.5 * (float(low) + float(high))
        if value != middle or exponent == 0:
            return np.float32(value), True
        scaled = middle * _POWERS[-exponent]  # 25 + 28 bits: exact
        if scaled == float(mantissa):
            return np.float32(value), True
        return (low if scaled > float(mantissa) else high), True
    return low, False


@compiled(inline="always")
def _ends(text, at):
    """Does a field end here?"""
    return at == text.size or _is_blank(text[at]) or text[at] == _NEWLINE or text[at] == _HASH


@compiled(inline="always")
def _after_blanks(text, at):
    while at < text.size and _is_blank(text[at]):
        at += 1
    return at


@compiled
def _line_end(text, at):
    while at < text.size and text[at] != _NEWLINE:
        at += 1
    return at


@compiled
def _next_document(text, at):
    """Where the next line with more than a comment begins, or the end of the text."""
    while at < text.size:
        if text[at] == _HASH:
            at = _line_end(text, at)
        elif _is_blank(text[at]) or text[at] == _NEWLINE:
            at += 1
        else:
            break
    return at


@compiled
def _is_same(text, start, end, other_start, other_end):
    length = end - start
    k = 0
    while k < length and text[start + k] == text[other_start + k]:
        k += 1
    return k == length == other_end - other_start


@compiled
def _parse_label(text, at):
    """The end of a label and its value; the end is 0 if it is unusual."""
    end, negative, mantissa, exponent, all_digits = _scan_number(text, at)
    is_exact = all_digits and mantissa <= _EXACT_INTEGER and -_EXACT_POWER <= exponent <= _EXACT_POWER
    if end == 0 or not is_exact or end == text.size or not (_is_blank(text[end]) or text[end] == _NEWLINE):
        return 0, 0.0
    label = _to_double(mantissa, exponent)
    return end, -label if negative else label


@compiled
def _parse_comment(text, at):
    """Where the document's id stands in a comment: its first word, or what follows ``docid =``."""
    while at < text.size and (_is_blank(text[at]) or text[at] == _HASH):
        at += 1
    if _starts_with(text, at, _DOCID):
        sign = _after_blanks(text, at + _DOCID.size)
        if sign < text.size and text[sign] == _EQUALS:
            at = _after_blanks(text, sign + 1)
    start = at
    while at < text.size and not _is_blank(text[at]) and text[at] != _NEWLINE:
        at += 1
    return start, at


@compiled
def _parse_unusual_value(text, start):
    """A feature's value with a sign, an exponent, many digits, or nan or null; the end is 0 if it is no number."""
    end, negative, mantissa, exponent, all_digits = _scan_number(text, start)
    if end == 0:
        for word in (_NAN, _NULL):
            if _starts_with(text, start, word) and _ends(text, start + word.size):
                return start + word.size, np.float32(np.nan), True
        return 0, np.float32(np.nan), True
    if not _ends(text, end):
        return 0, np.float32(0), True
    value, is_certain = _to_float32(mantissa, exponent, all_digits)
    return end, -value if negative else value, is_certain


class LetorArrays(NamedTuple):
    """What a block of text is parsed into, with rows for as many documents as there may be.

    A row of `features`, `labels` and `document_spans` (where the id stands in the text; empty without a comment) for
    each document; of `query_rows` (the first document) and `query_spans` (where the id stands) for each succession of
    documents with the same query; of `doubtful` (row, column, start, end) for each value whose rounding needs exact
    arithmetic.
    """

    features: np.ndarray
    labels: np.ndarray
    document_spans: np.ndarray
    query_rows: np.ndarray
    query_spans: np.ndarray
    doubtful: np.ndarray


class LetorCounts(NamedTuple):
    """Whether the block is as usual, how much of each array is filled, and how wide rows are, or would have to be."""

    is_usual: bool
    documents: int
    documents_with_id: int
    queries: int
    doubtful: int
    width: int
    values: int


@compiled(inline="always")
def _parse_features(text, at, zero_based, row, n_doubtful, out):
    """Fill a row of features: where the text goes on (0: it is unusual), its width, the doubtful values, all values."""
    size = text.size
    features, doubtful = out.features, out.doubtful
    capacity = features.shape[1]
    filled = n_values = 0
    while True:
        at = _after_blanks(text, at)
        if at == size or text[at] == _NEWLINE or text[at] == _HASH:
            break
        column = 0
        first = at
        while at < size and _ZERO <= text[at] <= _NINE and at - first < 9:
            column = column * 10 + (text[at] - _ZERO)
            at += 1
        column -= 0 if zero_based else 1
        if at == first or at >= size or text[at] != _COLON or column < filled:
            return 0, filled, n_doubtful, 0
        start = at + 1
        at = start
        # Nearly all values are digits, perhaps a dot and more digits, 18 in all at most. They are parsed here, since a
        # function for them takes a sixth of the time more.
        mantissa = np.int64(0)
        while at < size and _ZERO <= text[at] <= _NINE:
            mantissa = mantissa * 10 + (np.int64(text[at]) - _ZERO)
            at += 1
        decimals = 0
        if at < size and text[at] == _DOT:
            dot = at
            at += 1
            while at < size and _ZERO <= text[at] <= _NINE:
                mantissa = mantissa * 10 + (np.int64(text[at]) - _ZERO)
                at += 1
            decimals = at - dot - 1
        is_certain = True
        if _ends(text, at) and (start + 1 < at <= start + 18 or (at == start + 1 and text[start] != _DOT)):
            if mantissa <= _SMALL_INTEGER and decimals <= 10:
                value = np.float32(mantissa) / _POWERS_32[decimals]  # both exact: rounded once
            else:
                value, is_certain = _to_float32(mantissa, -decimals, True)
        else:
            at, value, is_certain = _parse_unusual_value(text, start)
            if at == 0:
                return 0, filled, n_doubtful, 0
        if column < capacity:
            for k in range(filled, column):
                features[row, k] = 0
            features[row, column] = value
            if not is_certain:
                if n_doubtful == doubtful.shape[0]:
                    return 0, filled, n_doubtful, 0
                doubtful[n_doubtful, 0], doubtful[n_doubtful, 1] = row, column
                doubtful[n_doubtful, 2], doubtful[n_doubtful, 3] = start, at
                n_doubtful += 1
        filled = column + 1
        n_values += 1
    for k in range(min(filled, capacity), capacity):
        features[row, k] = 0
    return at, filled, n_doubtful, n_values


@compiled
def parse_block(text, zero_based, out):
    """Parse whole lines of LETOR text into `LetorArrays`, and return `LetorCounts`."""
    at = row = n_ids = n_queries = n_doubtful = width = n_values = 0
    query_start = query_end = 0
    unusual = LetorCounts(False, 0, 0, 0, 0, 0, 0)
    while True:
        at = _next_document(text, at)
        if at == text.size:
            break
        at, label = _parse_label(text, at)
        if at == 0:
            return unusual
        out.labels[row] = label
        at = _after_blanks(text, at)

        has_query = _starts_with(text, at, _QID)
        if row > 0 and has_query != (n_queries > 0):
            return unusual
        if has_query:
            start = at + _QID.size
            at = start
            while not _ends(text, at):
                at += 1
            if at == start:
                return unusual
            if row == 0 or not _is_same(text, start, at, query_start, query_end):
                out.query_rows[n_queries] = row
                out.query_spans[n_queries, 0], out.query_spans[n_queries, 1] = start, at
                n_queries += 1
                query_start, query_end = start, at

        at, row_width, n_doubtful, row_values = _parse_features(text, at, zero_based, row, n_doubtful, out)
        if at == 0:
            return unusual
        width = max(width, row_width)
        n_values += row_values
        out.document_spans[row, 0] = out.document_spans[row, 1] = 0
        if at < text.size and text[at] == _HASH:
            start, at = _parse_comment(text, at)
            out.document_spans[row, 0], out.document_spans[row, 1] = start, at
            n_ids += at > start
            at = _line_end(text, at)
        row += 1
    return LetorCounts(True, row, n_ids, n_queries, n_doubtful, width, n_values)
