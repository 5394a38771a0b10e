"""Results that show themselves: as text, in notebooks, as pages and charts.

A result holds numbers; how it looks is known to the module of `riskrank.report.views` that it names. That module is
loaded by its name when somebody looks, so that no layer below the report knows of it::

    class Watch(Rendered):
        view = "watch"  # riskrank/report/views/watch.py, with text(watch), notebook(watch) and page(watch)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, Unpack, cast

if TYPE_CHECKING:
    from riskrank.typing import AltairChart, ChartOptions, PathLike

Result = TypeVar("Result", bound="Rendered")
Result_contra = TypeVar("Result_contra", contravariant=True)


class View(Protocol[Result_contra]):
    """What a module of `riskrank.report.views` offers for one kind of result."""

    def text(self, result: Result_contra, /) -> str:
        """For a terminal."""

    def notebook(self, result: Result_contra, /) -> str:
        """HTML for a cell of a notebook."""

    def page(self, result: Result_contra, /, **options: Any) -> str:  # each kind has its own; `to_html` names them
        """A self-contained page."""


class Rendered:
    """Base of results that people look at."""

    view: ClassVar[str]  # the module of riskrank.report.views that shows it

    def __repr__(self) -> str:
        return view_of(self).text(self)

    def _repr_html_(self) -> str:
        return view_of(self).notebook(self)

    def to_html(self, path: PathLike | None = None) -> str | None:
        """Write a self-contained page to `path`, or return it without one."""
        return written(view_of(self).page(self), path)

    def chart(self, name: str = "risk-gain", **options: Unpack[ChartOptions]) -> AltairChart:
        """An Altair chart by its name; `riskrank.report.charts.catalogue` has them all."""
        catalogue: Any = import_module("riskrank.report.charts.catalogue")
        chart: AltairChart = catalogue.CHARTS.named(name).draw(self, **options)
        return chart


def view_of(result: Result) -> View[Result]:
    """How a result is shown."""
    return cast("View[Result]", import_module(f"riskrank.report.views.{result.view}"))


def written(text: str, path: PathLike | None) -> str | None:
    """Write a text to `path` and return None, or return it where there is no path."""
    if path is None:
        return text
    from riskrank.data.files import write_atomically

    write_atomically(path, text)
    return None
