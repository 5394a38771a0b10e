"""Many systems against a baseline: every number of risk, collected."""
