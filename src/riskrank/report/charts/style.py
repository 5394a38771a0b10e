"""What all charts share: colours, sizes, names as they show them, and Altair itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError, one_line

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from riskrank.typing import AltairChart

    Rows = Sequence[Mapping[str, Any]]

try:
    import altair
    import vl_convert
except ImportError as missing:
    raise ParameterError("charts need Altair and vl-convert: pip install 'riskrank[report]'.") from missing

# From here, so that whoever lacks one of them reads the message above.
alt = altair
vega = vl_convert

# Okabe and Ito's colours, which colour-blind people can tell apart; shapes say the same once more.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A8A8A", "#AA4499")
HELPED, HURT, QUIET = "#0072B2", "#D55E00", "#8A8A8A"
WIDTH, HEIGHT = 560, 340
MOST_SERIES = len(COLOURS)
PROTOTYPE = {
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}  # fmt: skip
INK = "currentColor"  # the page's own, light or dark


def chart_of(rows: Rows) -> alt.Chart:
    """A chart of plain rows."""
    return alt.Chart(alt.InlineData(values=list(rows)))


def layered(*charts: alt.Chart) -> alt.LayerChart:
    """Charts above each other."""
    return alt.LayerChart(layer=list(charts))


def tip(field: str, form: str | None = None, title: str | None = None) -> alt.Tooltip:
    """A line of a tooltip: a number in this form, or a name."""
    shown = alt.Tooltip(f"{field}:N" if form is None else f"{field}:Q", format=form or alt.Undefined)
    return shown if title is None else shown.title(title)


def bars(rows: Rows, x: alt.X, y: alt.Y, tooltip: Sequence[Any], *, height: int) -> alt.Chart:
    """Bars of each system, side by side."""
    systems = list(dict.fromkeys(row["system"] for row in rows))
    offset, colours = alt.XOffset("system:N", sort=systems), colour(systems, "system")
    drawn = chart_of(rows).mark_bar().encode(x, y, offset, colours, tooltip=tooltip)
    chart: alt.Chart = drawn.properties(width=WIDTH, height=height)
    return chart


def vega_lite(chart: AltairChart, *, ink: str = INK) -> dict[str, Any]:
    """A chart as Vega-Lite, with one look for all; colours of text and axes come from where it stands."""
    styled = (
        chart.configure(background="transparent", font="system-ui, Helvetica, Arial, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=ink, titleColor=ink, domainColor=ink, tickColor=ink, gridColor=ink, gridOpacity=0.12,
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal",
        )
        .configure_legend(labelColor=ink, titleColor=ink, orient="bottom", columns=3, labelLimit=260, symbolLimit=24)
        .configure_text(color=ink)
        .configure_title(color=ink)
    )  # fmt: skip
    spec: dict[str, Any] = styled.to_dict(validate=False)  # each part was checked when it was made
    # Legends below each other; Vega knows this, Altair's schema does not.
    spec["config"]["legend"]["layout"] = {"bottom": {"direction": "vertical", "anchor": "start"}}
    return spec


def colour(names: Sequence[str], field: str = "series", *, quiet: Container[str] = ()) -> alt.Color:
    """Colours for names; more of them than there are colours begin again, and those in `quiet` are grey."""
    palette = [QUIET if name in quiet else COLOURS[i % MOST_SERIES] for i, name in enumerate(names)]
    shown = alt.Color(f"{field}:N", title=None, sort=list(names)).scale(domain=list(names), range=palette)
    return shown.legend(symbolOpacity=1)


def shape(names: Sequence[str]) -> alt.Shape:
    """Shapes for the same names."""
    forms = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
    chosen = [forms[i % len(forms)] for i in range(len(names))]
    return alt.Shape("series:N", title=None, sort=list(names)).scale(domain=list(names), range=chosen)


def named(name: str) -> str:
    """A user's name as charts take it: Vega keeps names in objects and expressions, where some have a meaning."""
    plain = one_line(name, limit=200)
    return f"\u200b{plain}" if plain in PROTOTYPE else plain
