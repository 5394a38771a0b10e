"""What charts are drawn from: an assessment or a sweep, in the form that a chart needs."""

from __future__ import annotations

from riskrank.assessment.assessment import Assessment
from riskrank.errors import ParameterError
from riskrank.tradeoff.sweep import Sweep


def as_assessment(source: Assessment | Sweep) -> Assessment:
    """A sweep's models as systems against the baseline."""
    if isinstance(source, Assessment):
        return source
    from riskrank.assessment.assess import assess

    return assess(source.effectiveness(), source.baseline)


def as_sweep(source: Assessment | Sweep, chart: str, *, needed: str = "a sweep") -> Sweep:
    """The source of a chart that only sweeps have."""
    if not isinstance(source, Sweep):
        raise ParameterError(f"the chart {chart} needs {needed}.")
    return source
