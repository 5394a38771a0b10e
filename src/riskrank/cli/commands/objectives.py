"""`riskrank objectives`: what can be optimised."""

from __future__ import annotations


def command() -> None:
    """List the objectives and their parameters."""
    from dataclasses import fields

    from riskrank.cli.output import emit
    from riskrank.measures.measure import optimisable
    from riskrank.objectives.objective import NORMALISATIONS, OBJECTIVES, Objective

    plain = OBJECTIVES["gain"]()
    shared = {f.name: getattr(plain, f.name) for f in fields(Objective)}
    lines = []
    for name, objective in sorted(OBJECTIVES.items()):
        own = ", ".join(f"{f.name}={f.default}" for f in fields(objective) if f.name not in shared)
        lines.append(f"{name:<12} {objective.summary}" + (f"\n{'':<12} {own}" if own else ""))
    defaults = ", ".join(f"{name}={value}" for name, value in shared.items())
    lines += ["", f"All take {defaults}; normalise is {', '.join(NORMALISATIONS[:-1])} or {NORMALISATIONS[-1]}."]
    lines += [f"Measures that can be optimised: {', '.join(optimisable())}."]
    emit("\n".join(lines))
