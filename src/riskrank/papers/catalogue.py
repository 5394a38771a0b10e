"""The papers by name; each is loaded when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskrank.registry import Registry

if TYPE_CHECKING:
    from riskrank.papers.paper import Paper

HOMES = {
    key: f"riskrank.papers.{key}:PAPER" for key in ("burges2006", "wang2012", "dincer2014", "bennett2015", "dincer2016")
}
PAPERS: Registry[Paper] = Registry("paper", homes=HOMES)
