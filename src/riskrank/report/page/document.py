"""Whole documents from templates: all text is escaped, nothing of a user's ends a script, and all works offline."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from riskrank.errors import one_line
from riskrank.report.findings.words import glued
from riskrank.report.page.plots.verdict_marks import WORDS, sign_class

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment
    from markupsafe import Markup

MOST_CHARACTERS = 2000  # of one piece of text
CHART_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:"
)
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
)
HYPHENATED = re.compile(r"(\S+-\S+)")
COMMON_SCRIPTS = ("theme.js", "exports.js")
REPORT_SCRIPTS = (
    "tools.js",
    "weights.js",
    "tradeoff_plot.js",
    "systems_table.js",
    "explorer.js",
    "page_numbers.js",
    "report.js",
)


class Export(NamedTuple):
    """A button of the bar: it copies text, or saves a file with this ending."""

    title: str
    action: Literal["copy", "save"]
    kind: str


class ReportPart(Protocol):
    """What all parts of reports have: what tells them from others on the page, and what the script knows."""

    @property
    def key(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def report(
    template: str,
    *,
    title: str,
    context: Sequence[str],
    parts: Sequence[ReportPart],
    exports: Sequence[Export],
    footer: str = "",
    scripts: Sequence[str] = REPORT_SCRIPTS,
    styles: Sequence[str] = (),
) -> str:
    """A page that draws its own pictures; only the script that it brings may run.

    `context` says in the bar what was compared; what is not known there is empty.
    """
    from riskrank import __version__

    code = f'(() => {{\n"use strict";\n{"".join(map(asset, (*COMMON_SCRIPTS, *scripts)))}}})();'
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    values = {
        "title": title,
        "policy": REPORT_POLICY.format(digest=digest),
        "style": "".join(map(asset, ("tokens.css", "marks.css", "report.css", *styles))),
        "context": list(filter(None, context)),
        "footer": footer,
        "version": __version__,
        "parts": parts,
        "exports": exports,
        "data": script_json([part.data for part in parts]),
        "script": code,
    }
    return render(template, values) + "\n"


def chart_page(spec: Mapping[str, Any], *, title: str) -> str:
    """A page that draws one Vega-Lite chart."""
    values = {"title": title, "policy": CHART_POLICY, "vega": _vega(), "spec": script_json(spec)}
    return render("chart_page.html", values) + "\n"


def render(template: str, values: Mapping[str, object]) -> str:
    """A template of `templates/`, filled in."""
    return _environment().get_template(template).render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("riskrank.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"path": _path, "short": _short, "sign": sign_class, "count": "{:,}".format, "brief": _brief}
    environment.filters["whole"] = _whole_words
    environment.globals["VERDICTS"] = WORDS
    return environment


def _shown(value: object) -> object:
    """Text as a page has it: control characters visible, "α = 1" on one line; what is HTML already stays as it is."""
    if hasattr(value, "__html__"):
        return value
    text = str(value)
    is_plain = len(text) <= MOST_CHARACTERS and text.isprintable()
    return glued(text if is_plain else one_line(text, limit=MOST_CHARACTERS))


def _path(data: str) -> Markup:
    """What SVG draws: letters and numbers of ours, however many."""
    from markupsafe import escape

    return escape(data)


def _whole_words(text: str) -> Markup:
    """Text whose hyphenated words, names above all, break only where a line is too short for them."""
    from markupsafe import Markup, escape

    pieces = HYPHENATED.split(str(_shown(text)))
    word = Markup('<span class="one-word">{}</span>')
    return Markup("").join(word.format(piece) if k % 2 else escape(piece) for k, piece in enumerate(pieces))


def _short(name: str, limit: int = 28) -> str:
    return one_line(name, limit=limit)


def _brief(count: int) -> str:
    """As wide as a narrow bar."""
    return f"{count:,}" if count < 10_000 else f"{count / 1000:.0f}k"


def asset(name: str) -> str:
    """A style sheet or script of `assets/`."""
    return (files("riskrank.report.page") / "assets" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _vega() -> str:
    """The script of Vega, Vega-Lite and Vega-Embed."""
    from riskrank.report.charts.style import alt, vega

    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    script = vega.javascript_bundle(vl_version=version)  # type: ignore[call-arg]  # its snippet may be left out
    return f"(() => {{{script}}})();"


def script_json(data: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON that cannot end the script it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
