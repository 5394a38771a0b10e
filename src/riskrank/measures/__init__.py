"""Effectiveness measures; the standard ones, one per file, are registered by importing this package."""

from riskrank.measures import standard
from riskrank.measures.measure import MEASURES, Measure, register
from riskrank.measures.parse import parse_measure

__all__ = ["MEASURES", "Measure", "parse_measure", "register", "standard"]
