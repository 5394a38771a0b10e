"""Names that would forge something if they were written as they are."""

from __future__ import annotations

import riskrank as rr

HOSTILE = [
    "::error::gotcha",
    "  ::stop-commands::x",
    "a\n::error::gotcha",
    "a\r::error::gotcha",
    "a\x85::error::gotcha",
    "##[error]gotcha",
    "a ##[add-mask]gotcha",
    "\x1b[31mred",
    "50%0A::error::gotcha",
    "%0D%0A",
    "a,title=b::gotcha",
    "a | b | c",
    "a\\| b",
    "a\n| b | c |",
    "`code` ``and`` ```more",
    "**bold** _italic_ ~~gone~~",
    "<script>alert(1)</script>",
    "</code></details><h1>gotcha</h1>",
    "<!-- gone",
    "[gotcha](https://example.org)",
    "![gotcha](https://example.org/a.png)",
    "https://example.org/gotcha www.example.org a@example.org",
    "@somebody #1 GH-1 :tada: !1 ~bug %1 &1",
    "&lt;b&gt; &#64;somebody",
    "$x^2$ ^[note]",
    "]]> <![CDATA[ &amp;",
    "[[ATTACHMENT|/etc/passwd]]",
    "{0} {{1}} }",
    "\x00\x07\x1f\x7f\u202e\u2028\ufffe\ud800",
    "\"quoted\" 'too' \\",
    "\n\n# gotcha\n\n- gotcha\n\n    gotcha",
    "x" * 10_000,
    "|`\n<@" * 2_000,
    "日本語 ∑ é",
    " ",
]
HARMLESS = "harmless"


def hostile_gate(name, **budget):
    """A gate that fails, with the name wherever users give one."""
    scores = rr.Effectiveness.from_rows(
        {name: [0.6, 0.6], f"new {name}": [0.1, 0.6]}, topics=[name, f"other {name}"], measure=f"AP {name}"
    )
    segments = dict.fromkeys(scores.topics, f"segment {name}")
    terms = rr.GateBudget(
        limits=rr.risk.Budget(max_loss=0.2, max_hurt=0.1),
        segments=segments,
        fewest_in_segment=1,
        by_segment={f"segment {name}": rr.risk.Budget(max_risk=0.01)},
        must_not_break=(name,),
    )
    return rr.gate(scores, f"new {name}", name, budget=terms, **budget)
