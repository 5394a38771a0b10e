"""The report: one page that works offline, with charts, a slider for alpha, and every topic."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from riskrank.errors import ParameterError
from riskrank.report.page.page_data import default_alpha, page_data
from riskrank.report.page.plain_page import escape, plain_page
from riskrank.report.text.assessment_text import number, optional, signed
from riskrank.report.text.wording import footnotes, meaning, verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from riskrank.assessment.assessment import Assessment
    from riskrank.report.page.top_documents import Rankings
    from riskrank.tradeoff.operating_point import OperatingPoint
    from riskrank.tradeoff.sweep import Sweep

CAPTIONS = {
    "risk-gain": "What each unit of risk buys. Above the dashed line, gain outweighs losses that weigh 1 + α "
    "(move the slider); above the dotted line, a model does better than using the boldest one less often. The convex "
    "hull is what mixtures of all points reach.",
    "helped-hurt": "Queries by how much they changed against the baseline; unchanged ones are left out.",
    "topics": "The change of every topic, worst first. Click one for more.",
    "exploratory": "How far each topic lies from the mean, in standard errors (T_J). Beyond the dashed lines, a topic "
    "stands out.",
    "georisk": "GeoRisk of each system as losses weigh more: the higher the better, against all systems together.",
    "convergence": "Effectiveness on validation queries as training goes on; dots: 95 % of the last value.",
    "distance": "How far the rankings moved from the baseline's.",
    "distance-reward": "What moving so far brought: the mean reward of those queries.",
    "click-models": "What the chosen models keep of the gain, and how many pages they re-rank for it: up and to the "
    "left is better. Below the dashed line, using Standard Gain less often does as well; those that lose much stand at "
    "the edge.",
    "click-parameters": "All models, as their parameter grows from bold to careful.",
    "reranked": "Gain against the share of queries that are ranked in another order; dotted: tossing a coin.",
}
MOST_LINES = 40  # systems in the chart of GeoRisk
LARGEST_ALPHA = 20.0
MOST_BARS = 6  # systems in one histogram; with more, it shows the one that is picked
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:"


def assessment_page(assessments: Sequence[Assessment], *, rankings: Rankings | None = None, title: str = "") -> str:
    """A page for one or several measures."""
    if not has_charts():
        return plain_page(assessments)
    parts = [_assessed(assessment, rankings, with_heading=len(assessments) > 1) for assessment in assessments]
    name = title or f"{assessments[0].scores.measure} against {assessments[0].baseline}"
    if len(assessments) == 1 and not title:
        name = _heading(assessments[0])
    return whole_page(name, [html for html, _ in parts], [data for _, data in parts])


def sweep_page(sweep: Sweep, *, point: OperatingPoint | None = None, title: str = "") -> str:
    """A page for a sweep: the trade-off, the operating point, and every model's queries."""
    from riskrank.assessment.assess import assess

    alphas: tuple[float, ...] = (0.0, 1.0, 5.0, 10.0)
    if sweep.parameter == "alpha":
        alphas = tuple(dict.fromkeys([0.0, *(s.value for s in sweep.settings if s.value >= 0)]))
    assessment = assess(sweep.effectiveness(), sweep.baseline, alphas=alphas)
    from riskrank.report.text.sweep_text import point_text, sweep_words

    if not has_charts():
        said = [*([] if point is None else [point_text(point)]), *sweep_words(sweep)]
        return plain_page([assessment], words=said, before=sweep_table(sweep))
    from riskrank.report.charts.catalogue import CHARTS

    drawn = {
        name: page_spec(CHARTS[name](sweep, **({"point": point} if name == "risk-gain" else {})))
        for name in ("risk-gain", "reranked", "convergence", "distance", "distance-reward")
    }
    words = sweep_words(sweep)
    if point is not None:
        words = [point_text(point), *words]
    html, data = section(
        assessment, drawn, words=words, extra=sweep_table(sweep), rankings=None, with_heading=False,
        before=("risk-gain", "reranked"), after=("helped-hurt", "convergence", "distance", "distance-reward"),
    )  # fmt: skip
    name = title or f"{sweep.measure} against {sweep.baseline}: {', '.join(sweep.series)}"
    return whole_page(name, [html], [data])


def chart_page(spec: Mapping[str, Any], *, title: str) -> str:
    """A page with one chart."""
    script = f"vegaEmbed('#chart', {_json(spec)}, {{actions: false}});"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"></head><body><div id="chart"></div>'
        f"<script>{_bundle()}</script><script>{script}</script></body></html>\n"
    )


def in_frame(page: str, *, height: int = 760) -> str:
    """A page inside another, as a notebook shows it."""
    import html

    return (
        f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: {height}px; border: 0" '
        'title="riskrank report"></iframe>'
    )


def assessment_frame(assessment: Assessment) -> str:
    """An assessment as a notebook shows it."""
    if not has_charts():
        from riskrank.report.page.plain_page import body

        return body(assessment)
    return in_frame(assessment_page([assessment]))


def _assessed(assessment: Assessment, rankings: Rankings | None, *, with_heading: bool) -> tuple[str, dict[str, Any]]:
    from riskrank.report.charts.style import rivals
    from riskrank.report.charts.topics import georisk
    from riskrank.report.charts.tradeoff import risk_gain

    drawn: dict[str, Any] = {}
    if rivals(assessment):
        drawn["risk-gain"] = page_spec(risk_gain(assessment))
    has_georisk = not any(math.isnan(at.georisk) for system in assessment.systems for at in system.at)
    if has_georisk and 1 < len(assessment) <= MOST_LINES:
        drawn["georisk"] = page_spec(georisk(assessment, largest_alpha=LARGEST_ALPHA))
    words = [verdict(assessment)]
    return section(
        assessment, drawn, words=words, extra="", rankings=rankings, with_heading=with_heading,
        before=("risk-gain", "georisk"), after=("helped-hurt",),
    )  # fmt: skip


def section(
    assessment: Assessment,
    drawn: dict[str, Any],
    *,
    words: Sequence[str],
    extra: str,
    rankings: Rankings | None,
    with_heading: bool,
    before: Sequence[str],
    after: Sequence[str],
) -> tuple[str, dict[str, Any]]:
    """Markup of a section, and what its script knows."""
    from riskrank.report.charts import style as chart_style
    from riskrank.report.charts import topics as topic_charts
    from riskrank.report.charts.catalogue import CHARTS

    alpha = default_alpha(assessment.alphas)
    helped = None
    rivals = chart_style.rivals(assessment)
    if rivals:
        first = rivals[0].system
        few = len(rivals) <= MOST_BARS
        drawn["helped-hurt"] = page_spec(topic_charts.helped_hurt(assessment, systems=None if few else [first]))
        if not few:
            rows = topic_charts.helped_hurt_rows(assessment)
            helped = [[row for row in rows if row["system"] == chart_style.named(s.system)] for s in assessment.systems]
            drawn["helped-hurt"]["encoding"].pop("color", None)
        for name in ("topics", "exploratory") if len(assessment.scores.topics) > 1 else ("topics",):
            spec = page_spec(CHARTS[name](assessment, system=first, alpha=alpha))
            drawn[name] = _without_rows(spec)
    data = page_data(assessment, drawn, rankings=rankings, helped=helped)

    def figures(names: Sequence[str]) -> str:
        drawings = "".join(
            f"<figure><figcaption>{escape(_caption(name, drawn[name]))}</figcaption>"
            f'<div class="chart" data-chart="{name}"></div></figure>'
            for name in names
            if name in drawn
        )
        return f'<div class="figures">{drawings}</div>'

    heading = f"<h2>{escape(_heading(assessment))}</h2>" if with_heading else ""
    first_words, *more_words = words
    said = "".join(f"<p>{escape(text)}</p>" for text in more_words)
    each = "".join(
        f"<li><b>{escape(s.system)}</b> {escape(meaning(assessment, s))}</li>"
        for s in assessment.systems
        if not s.is_baseline
    )
    shown = "open" if len(assessment) <= 8 else ""
    notes = "<br>".join(escape(note) for note in footnotes(assessment, with_marks=False))
    html = (
        f"<section data-section>{heading}"
        f'<div class="verdict"><p class="first">{escape(first_words)}</p>{said}</div>{extra}'
        '<div class="controls"><label>In the tests, losses weigh 1 + α, α = '
        f'<input type="range" min="0" max="{LARGEST_ALPHA:g}" step="0.1" value="{alpha:g}" data-alpha-range '
        'aria-label="alpha"></label>'
        f'<input type="number" min="0" step="0.1" value="{alpha:g}" data-alpha aria-label="alpha, as a number"></div>'
        f'<div class="scroll">{_systems(assessment)}</div>{figures(before)}'
        f"<details {shown}><summary>In words</summary><ul>{each}</ul></details>{figures(after)}"
        f"{_topics(assessment, figures(('topics', 'exploratory'))) if rivals else ''}"
        f'<p class="note">{notes}</p></section>'
    )
    return html, data


def _caption(name: str, spec: Mapping[str, Any]) -> str:
    if name == "risk-gain" and "proportional" not in str(spec):
        return CAPTIONS[name].partition(";")[0] + "."
    return CAPTIONS[name]


def _heading(assessment: Assessment) -> str:
    return f"{assessment.scores.measure} against {assessment.baseline}, {len(assessment.scores.topics):,} topics"


def _systems(assessment: Assessment) -> str:
    """The table of systems; the cells that depend on alpha are filled by the script."""
    with_changes = any(system.kendall_tau is not None for system in assessment.systems)
    titles = {
        "system": "system", "effectiveness": assessment.scores.measure, "gain": "gain", "risk": "risk",
        "reward": "reward", "urisk": "URisk", "trisk": "TRisk", "p": "p", "holm": "p Holm", "verdict": "verdict",
        "outcomes": "W/L/T", "large": ">20 %", "cvar": "CVaR", "georisk": "GeoRisk",
        **({"tau": "τ", "reranked": "re-ranked"} if with_changes else {}),
    }  # fmt: skip
    kinds = {name: ' class="words"' if name == "verdict" else "" for name in titles}
    head = "".join(f'<th scope="col"{kinds[name]}>{escape(text)}</th>' for name, text in titles.items())
    rows = []
    for i, s in enumerate(assessment.systems):
        known = {"system": f"{s.system} (baseline)" if s.is_baseline else s.system}
        known["effectiveness"] = number(s.effectiveness)
        if not s.is_baseline:
            known |= {
                "gain": signed(s.gain), "risk": number(s.risk), "reward": number(s.reward),
                "outcomes": f"{s.wins}/{s.losses}/{s.ties}", "large": str(s.large_losses), "cvar": number(s.cvar),
                "tau": optional(s.kendall_tau, "{:.3f}"), "reranked": optional(s.reranked, "{:.0%}"),
            }  # fmt: skip
        cells = "".join(f'<td data-cell="{n}"{kinds[n]}>{escape(known.get(n, ""))}</td>' for n in titles)
        rows.append(f'<tr data-row="{i}"{" class=is-baseline" if s.is_baseline else ""}>{cells}</tr>')
    return f'<table class="systems"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _topics(assessment: Assessment, figures: str) -> str:
    options = "".join(
        f'<option value="{i}">{escape(s.system)}</option>'
        for i, s in enumerate(assessment.systems)
        if not s.is_baseline
    )
    header = "".join(
        f'<th scope="col">{text}</th>' for text in ("topic", "baseline", "system", "change", "T_R", "T_J", "stands out")
    )
    return (
        '<h3>Topics</h3><div class="controls">'
        f"<label>System <select data-system>{options}</select></label>"
        '<label>Find <input type="search" data-search placeholder="topic" aria-label="find a topic"></label>'
        '<span class="note" data-found role="status"></span></div>'
        f'{figures}<div class="scroll"><table class="topics"><thead><tr>{header}</tr></thead>'
        '<tbody data-topics></tbody></table></div><button type="button" class="more" data-more>Show more</button>'
        '<dialog aria-label="topic"><div class="top"><h3 data-detail-title></h3>'
        '<button type="button" data-close>Close</button></div><p data-detail-text></p>'
        '<div class="pair" data-detail-lists></div></dialog>'
    )


def sweep_table(sweep: Sweep, *, heading: str = "<h3>All models</h3>") -> str:
    """The summary of all models, as Tables 1 and 2 of Wang et al. 2012."""
    from riskrank.report.text.sweep_text import summary_table

    header, rows = summary_table(sweep)
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f'<table class="sweep"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'{heading}<div class="scroll">{table}</div>'


def page_spec(chart: Any) -> dict[str, Any]:
    """A chart for the page: as wide as there is room."""
    from riskrank.report.charts.style import described

    spec = described(chart)
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


def _without_rows(spec: dict[str, Any]) -> dict[str, Any]:
    """A chart whose rows the script fills in."""
    for part in [spec, *spec.get("layer", [])]:
        if "values" in part.get("data", {}):
            part["data"] = {"name": part["data"]["name"], "values": []}
    return spec


def whole_page(title: str, sections: Sequence[str], data: Sequence[Mapping[str, Any]]) -> str:
    """Sections and all that they need, in one file."""
    assets = files("riskrank.report.page") / "assets"
    style = (assets / "page.css").read_text(encoding="utf-8")
    script = (assets / "page.js").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f'<body><main class="riskrank"><div class="top"><h1>{escape(title)}</h1>'
        '<button type="button" data-theme-button>Light / dark</button></div>\n'
        f"{''.join(sections)}\n</main>\n"
        f'<script type="application/json" id="riskrank-data">{_json(data)}</script>\n'
        f"<script>{_bundle()}</script>\n<script>{script}</script></body></html>\n"
    )


def _json(data: Any) -> str:
    """JSON that cannot end the script it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escaped in (
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u2028", "\\u2028"),
        ("\u2029", "\\u2029"),
    ):
        text = text.replace(character, escaped)
    return text


@lru_cache(maxsize=1)
def _bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed, as the page carries them along."""
    import altair
    import vl_convert

    version = ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    script = vl_convert.javascript_bundle(vl_version=version)  # type: ignore[call-arg]  # its snippet may be left out
    return f"(() => {{{script}}})();"


def has_charts() -> bool:
    """Is Altair there?"""
    try:
        import_module("riskrank.report.charts.style")
    except ParameterError:
        return False
    return True
