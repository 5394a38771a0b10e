"""What the card of prepared clicks holds; read at run time, so without ``from __future__ import annotations``."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from riskrank.errors import ParameterError
from riskrank.files.records import Count, FileName, Limits

MOST_FILES = 1_000_000


@dataclass(frozen=True)
class PreparedCard:
    """Features, pages and Parquet files of each part; it also has the options by which a log was prepared."""

    has_more: ClassVar[bool] = True

    format: Literal["riskrank clicks"]
    version: Annotated[int, Limits(1, 1)]
    features: list[str]
    limits: list[float]
    parts: dict[FileName, Count]
    files: dict[FileName, Annotated[int, Limits(0, MOST_FILES)]]

    def __post_init__(self) -> None:
        for part, n_pages in self.parts.items():
            if n_pages and part not in self.files:
                raise ParameterError(f"files: must name those of the part {part}.")
