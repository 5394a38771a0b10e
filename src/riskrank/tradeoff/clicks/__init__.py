"""Sweeps over ways to learn from clicks."""
