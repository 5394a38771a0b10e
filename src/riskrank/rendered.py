"""Results that show themselves: as text, in notebooks, as pages and charts.

A result holds numbers; how it looks is known to the module of `riskrank.report.views` that it names. That module is
loaded by its name when somebody looks, so that no layer below the report knows of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from riskrank.typing import PathLike


class View(Protocol):
    """What a module of `riskrank.report.views` offers."""

    def text(self, result: Any) -> str:
        """For a terminal."""

    def notebook(self, result: Any) -> str:
        """HTML for a cell of a notebook."""

    def page(self, result: Any, **options: Any) -> str:
        """A self-contained page."""


class Rendered:
    """Base of results that people look at."""

    view: ClassVar[str]  # the module of riskrank.report.views that shows it

    def __repr__(self) -> str:
        return view_of(self).text(self)

    def _repr_html_(self) -> str:
        return view_of(self).notebook(self)

    def chart(self, name: str = "risk-gain", **options: Any) -> Any:
        """An Altair chart by its name; `riskrank.report.charts` has them all."""
        charts: Any = import_module("riskrank.report.charts.catalogue")
        return charts.chart_named(name)(self, **options)


def view_of(result: Rendered) -> View:
    """How a result is shown."""
    view: Any = import_module(f"riskrank.report.views.{result.view}")
    return view  # type: ignore[no-any-return]  # a module with these functions


def written(text: str, path: PathLike | None) -> str | None:
    """Write a text to `path` and return None, or return it where there is no path."""
    if path is None:
        return text
    from riskrank.data.files import write_atomically

    write_atomically(path, text)
    return None
