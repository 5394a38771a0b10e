"""Changes of files, byte by byte in a region of them, or value by value where they are JSON."""

from __future__ import annotations

import json
from copy import deepcopy

from hypothesis import strategies as st

N_REGIONS = 8
TOKENS = (
    *(letter.encode() for letter in "\0\n\r\t ,\"':#=-+.e[]{}\\019ä"),
    *b"nan NaN inf -inf Infinity null true -1 1e308 1e999 -1e999 1e-999 ../../x /dev/zero PAR1".split(),
    *b"2147483648 -2147483649 9223372036854775808 18446744073709551616".split(),
    *(b"", b"9" * 30, b"9" * 5000, b"[" * 2000, b'{"a":' * 2000, b"a" * 300, b"\0" * 8),
    *(b"\xff", b"\xc3", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\x1b[2J", b"\x1f\x8b", b"\x78\x9c", b"PK\x03\x04"),
    *(b"\x80\x80\x80\x80", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\xff\xff\xff\x7f"),
)
NUMBERS = (0, 1, -1, 2, 0.5, -0.0, 1e308, 1e-320, 2**31, 2**53, 2**63, 10**30, 10**400)
TEXTS = ("", "x", "1", "inf", "-inf", "nan", "../x", "/etc/passwd", "\0", "\x1b[2J", "\ud800", "a" * 300)
VALUES = st.one_of(
    st.sampled_from([None, True, False, *NUMBERS, *TEXTS, [], {}, [[]], [None], {"": 1}]),
    st.floats(),
    st.integers(),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=3),
)


@st.composite
def changed_bytes(draw, content: bytes, region: int) -> bytes:
    """Up to three changes: bytes replaced, left out, repeated or moved, the first of them in this region."""
    for number in range(draw(st.integers(1, 3))):
        size = len(content)
        low, high = (region * size // N_REGIONS, (region + 1) * size // N_REGIONS) if number == 0 else (0, size)
        at = draw(st.integers(low, max(low, high - 1)))
        end = min(len(content), at + draw(st.sampled_from([0, 1, 1, 1, 2, 4, 8, 40, 1000])))
        kind = draw(st.sampled_from(["replace", "replace", "token", "token", "leave out", "repeat", "move", "cut"]))
        if kind == "replace":
            content = content[:at] + draw(st.binary(min_size=end - at, max_size=end - at)) + content[end:]
        elif kind == "token":
            content = content[:at] + draw(st.sampled_from(TOKENS)) + content[end:]
        elif kind == "leave out":
            content = content[:at] + content[end:]
        elif kind == "repeat":
            content = content[:end] + content[at:end] * draw(st.sampled_from([1, 2, 50])) + content[end:]
        elif kind == "move":
            other = draw(st.integers(0, len(content)))
            content = content[:at] + content[other : other + end - at] + content[end:]
        else:
            content = content[:at]
    return content


@st.composite
def changed_json(draw, content: bytes) -> bytes:
    """Up to three values replaced, left out, repeated or added, anywhere in the tree of the last line."""
    *before, last = content.rstrip(b"\n").split(b"\n") if content.count(b"\n{") else [content]
    root = [deepcopy(json.loads(last))]
    for _ in range(draw(st.integers(1, 3))):
        place, key = root, 0
        while isinstance(place[key], dict | list) and place[key] and draw(st.integers(0, 9)):
            place = place[key]
            key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        kind = draw(st.sampled_from(["replace", "replace", "replace", "leave out", "add", "swap"]))
        if kind == "leave out" and place is not root:
            del place[key]
        elif kind == "add" and isinstance(place, dict):
            place[draw(st.text(max_size=5))] = draw(VALUES)
        elif kind == "add":
            place.append(draw(VALUES))
        elif kind == "swap" and isinstance(place, dict):
            place[key] = deepcopy(place[draw(st.sampled_from(sorted(place)))])
        else:
            place[key] = draw(VALUES)
    return b"\n".join([*before, json.dumps(root[0]).encode()]) + b"\n"
