"""Statistics behind the risk measures: distributions, intervals, corrections."""
