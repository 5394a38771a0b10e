"""Files that list topics, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.data.files import read_bytes
from riskrank.errors import FileError

if TYPE_CHECKING:
    from riskrank.typing import PathLike


def read_topic_list(path: PathLike) -> dict[str, int]:
    """Topics with the lines on which they are first; what follows a # is a remark."""
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8 text. Convert it first.") from None
    line_of: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        topic = line.partition("#")[0].strip()
        if topic:
            line_of.setdefault(topic, number)
    return line_of
