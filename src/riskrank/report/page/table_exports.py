"""What a page hands out of a table: for papers, spreadsheets and programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from riskrank.assessment.json import without_nan
from riskrank.report.page.document import Export
from riskrank.report.text.latex import plain_latex

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from riskrank.report.table import Table

EXPORTS = (Export("Copy as LaTeX", "copy", "tex"), Export("CSV", "save", "csv"), Export("JSON", "save", "json"))


def table_exports(frame: pl.DataFrame, table: Table, *, kind: str, about: Mapping[str, object]) -> dict[str, str]:
    """By the ending of the file: `frame` has the numbers, `table` how they are written; JSON begins with `about`."""
    content = {"format": f"riskrank {kind}", "version": 1, **about, "rows": without_nan(frame.to_dicts())}
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    return {"tex": plain_latex(table), "csv": frame.write_csv(), "json": f"{text}\n"}
