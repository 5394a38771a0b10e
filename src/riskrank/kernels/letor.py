"""The compiled LETOR parser: well-formed text to numbers, as fast as memory allows.

It handles what nearly every line looks like and hands back the rest: on anything unusual it returns
`UNUSUAL`, and the caller parses that block with the plain reader, which knows every rule and every error message.
"""

from __future__ import annotations

import numpy as np

from riskrank.kernels.compiled import compiled

DONE, UNUSUAL, TOO_NARROW = 0, 1, 2

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
    exponent = 0
    digits = 0
    kept = 0
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


@compiled
def parse_block(
    text, zero_based, features, labels, query_row, query_span, document_span, doubtful
):  # fmt: skip
    """Parse whole lines of LETOR text.

    Fills a row of `features` and `labels` for each document; `query_row` and `query_span` for each run of
    equal query ids (its first row; where the id stands in `text`); `document_span` for each row (empty
    without a comment); `doubtful` (row, column, start, end) for values whose rounding needs exact arithmetic.

    Returns status, rows, query runs, doubtful values, highest feature column + 1, rows with a comment.
    """
    size = text.size
    width = features.shape[1]
    at = 0
    row = 0
    n_queries = 0
    n_doubtful = 0
    n_documents = 0
    needed = 0
    has_queries = False
    status = DONE
    previous_start = 0
    previous_end = 0
    while at < size:
        while at < size and (_is_blank(text[at]) or text[at] == _NEWLINE):
            at += 1
        if at == size:
            break
        if text[at] == _HASH:
            while at < size and text[at] != _NEWLINE:
                at += 1
            continue

        end, negative, mantissa, exponent, all_digits = _scan_number(text, at)
        exact = all_digits and mantissa <= _EXACT_INTEGER and -_EXACT_POWER <= exponent <= _EXACT_POWER
        if end == 0 or not exact or end == size or not (_is_blank(text[end]) or text[end] == _NEWLINE):
            return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
        label = _to_double(mantissa, exponent)
        labels[row] = -label if negative else label
        at = end
        while at < size and _is_blank(text[at]):
            at += 1

        if _starts_with(text, at, _QID):
            start = at + 4
            at = start
            while at < size and not _is_blank(text[at]) and text[at] != _NEWLINE and text[at] != _HASH:
                at += 1
            if at == start or (row > 0 and not has_queries):
                return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
            has_queries = True
            same = row > 0 and at - start == previous_end - previous_start
            if same:
                for k in range(at - start):
                    if text[start + k] != text[previous_start + k]:
                        same = False
                        break
            if not same:
                query_row[n_queries] = row
                query_span[n_queries, 0] = start
                query_span[n_queries, 1] = at
                n_queries += 1
                previous_start, previous_end = start, at
        elif has_queries:
            return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents

        filled = 0
        document_span[row, 0] = 0
        document_span[row, 1] = 0
        while True:
            while at < size and _is_blank(text[at]):
                at += 1
            if at == size or text[at] == _NEWLINE:
                break
            if text[at] == _HASH:
                at += 1
                while at < size and (_is_blank(text[at]) or text[at] == _HASH):
                    at += 1
                if _starts_with(text, at, _DOCID):
                    sign = at + 5
                    while sign < size and _is_blank(text[sign]):
                        sign += 1
                    if sign < size and text[sign] == _EQUALS:
                        at = sign + 1
                        while at < size and _is_blank(text[at]):
                            at += 1
                document_span[row, 0] = at
                while at < size and not _is_blank(text[at]) and text[at] != _NEWLINE:
                    at += 1
                document_span[row, 1] = at
                n_documents += at > document_span[row, 0]
                while at < size and text[at] != _NEWLINE:
                    at += 1
                break

            column = 0
            first = at
            while at < size and _ZERO <= text[at] <= _NINE and at - first < 9:
                column = column * 10 + (text[at] - _ZERO)
                at += 1
            column -= 0 if zero_based else 1
            if at == first or at >= size or text[at] != _COLON or column < filled:
                return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
            at += 1
            start = at
            # Nearly all values are digits, perhaps a dot and more digits, 18 in all at most.
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
            is_end = at == size or _is_blank(text[at]) or text[at] == _NEWLINE or text[at] == _HASH
            certain = True
            if (is_end and start + 1 < at <= start + 18) or (is_end and at == start + 1 and text[start] != _DOT):
                if mantissa <= _SMALL_INTEGER and decimals <= 10:
                    value = np.float32(mantissa) / _POWERS_32[decimals]  # both exact: rounded once
                else:
                    value, certain = _to_float32(mantissa, -decimals, True)
            else:
                at, negative, mantissa, exponent, all_digits = _scan_number(text, start)
                if at == 0:
                    if not _starts_with(text, start, _NAN):
                        return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
                    at = start + 3
                    value = np.float32(np.nan)
                else:
                    value, certain = _to_float32(mantissa, exponent, all_digits)
                    if negative:
                        value = -value
                is_end = at == size or _is_blank(text[at]) or text[at] == _NEWLINE or text[at] == _HASH
                if not is_end:
                    return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
            needed = max(needed, column + 1)
            if column >= width:
                status = TOO_NARROW
            else:
                for k in range(filled, column):
                    features[row, k] = 0
                features[row, column] = value
                if not certain:
                    if n_doubtful == doubtful.shape[0]:
                        return UNUSUAL, row, n_queries, n_doubtful, needed, n_documents
                    doubtful[n_doubtful, 0] = row
                    doubtful[n_doubtful, 1] = column
                    doubtful[n_doubtful, 2] = start
                    doubtful[n_doubtful, 3] = at
                    n_doubtful += 1
            filled = column + 1
        for k in range(min(filled, width), width):
            features[row, k] = 0
        row += 1
    return status, row, n_queries, n_doubtful, needed, n_documents
