"""Results that show themselves: as text, in notebooks, as pages and charts.

A result holds numbers; how it looks is known to the module of `riskrank.report.views` that it names. That module is
loaded by its name when somebody looks, so that no layer below the report knows of it::

    class Watch(Rendered):
        view = "watch"  # riskrank/report/views/watch.py, with text(watch), notebook(watch) and page(watch)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

if TYPE_CHECKING:
    from riskrank.typing import AltairChart, ChartOptions, PathLike


class Rendered:
    """Base of results that people look at."""

    view: ClassVar[str]  # the module of riskrank.report.views that shows it

    def __repr__(self) -> str:
        return shown_as(self, "text")

    def _repr_html_(self) -> str:
        return shown_as(self, "notebook")

    def to_html(self, path: PathLike | None = None) -> str | None:
        """Write a self-contained page to `path`, or return it without one."""
        return written(shown_as(self, "page"), path)


class Charted(Rendered):
    """Base of results that charts are drawn from."""

    def chart(self, name: str = "risk-gain", **options: Unpack[ChartOptions]) -> AltairChart:
        """An Altair chart by its name; `riskrank.report.charts.catalogue` has them all."""
        catalogue: Any = import_module("riskrank.report.charts.catalogue")
        chart: AltairChart = catalogue.CHARTS.named(name).draw(self, **options)
        return chart


def shown_as(result: Rendered, form: str, **options: Any) -> str:  # each form of a view has options of its own
    """A result as text, in one of the forms that its view has: text, notebook, page, and perhaps others."""
    text: str = getattr(import_module(f"riskrank.report.views.{result.view}"), form)(result, **options)
    return text


def written(text: str, path: PathLike | None) -> str | None:
    """Write a text to `path` and return None, or return it where there is no path."""
    if path is None:
        return text
    from riskrank.files.writing import write_atomically

    write_atomically(path, text)
    return None
