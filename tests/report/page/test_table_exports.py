from __future__ import annotations

import json

import polars as pl

from riskrank.report.page.table_exports import EXPORTS, table_exports
from riskrank.report.table import Table


def test_a_table_is_handed_out_in_all_forms_that_have_a_button():
    frame = pl.DataFrame({"method": ["a", "b"], "gain": [0.1, float("nan")]})
    table = Table(["method", "gain"], [["a", "+0.1"], ["b", "–"]])
    exports = table_exports(frame, table, kind="table", about={"measure": "AP"})
    assert set(exports) == {export.kind for export in EXPORTS}
    assert exports["csv"] == "method,gain\na,0.1\nb,NaN\n"
    assert json.loads(exports["json"]) == {
        "format": "riskrank table", "version": 1, "measure": "AP",
        "rows": [{"method": "a", "gain": 0.1}, {"method": "b", "gain": None}],
    }  # fmt: skip
    assert "a & +0.1" in exports["tex"]
