"""LogLayout: a way in which logs lie in files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import IO, TYPE_CHECKING, ClassVar

from riskrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from riskrank.clicks.impressions import Impressions
    from riskrank.clicks.logs.log_report import LogReport
    from riskrank.typing import PathLike


class LogLayout(ABC):
    """What tells files of a layout from others, and how they are read and written.

    A layout is registered under its `name` in `riskrank.clicks.logs.log_files`, or by another package in the
    entry-point group ``riskrank.log_layouts``.
    """

    name: str
    endings: ClassVar[tuple[str, ...]] = ()  # names of files that end so are of this layout
    writable_endings: ClassVar[tuple[str, ...]] = ()  # of files that can be written; any, if there are none

    def detect(self, _head: bytes, /) -> bool:
        """Do the first bytes of a file, whose name tells nothing, look like this layout?"""
        return False

    @abstractmethod
    def read(self, path: PathLike, *, strict: bool, report: LogReport) -> Iterator[Impressions]:
        """Batches of whole sessions; lines that make no sense are counted in `report`, or with `strict` refused."""

    def write(self, batches: Iterable[Impressions], file: IO[bytes], *, name: str) -> int:
        """Write batches, none of them empty, to `file`, which will be called `name`; returns how many pages.

        A layout that is only read leaves it out.
        """
        raise ParameterError(f"logs in the layout {self.name} can be read, but not written.")
