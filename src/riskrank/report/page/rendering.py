"""From templates and values to HTML: all text is escaped, and nothing of a user's ends a script."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from riskrank.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment

MOST_CHARACTERS = 2000  # of one piece of text


def render(template: str, values: Mapping[str, object]) -> str:
    """A template of `templates/`, filled in."""
    return _environment().get_template(template).render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("riskrank.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _visible(value: object) -> object:
    """Control characters made visible, wherever text stands; what is HTML already stays as it is."""
    return value if hasattr(value, "__html__") else one_line(str(value), limit=MOST_CHARACTERS)


def asset(name: str) -> str:
    """A style sheet or script of `assets/`."""
    return (files("riskrank.report.page") / "assets" / name).read_text(encoding="utf-8")


def script_json(data: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON that cannot end the script it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
