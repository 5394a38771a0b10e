"""Synthetic data, for examples, tests and benchmarks."""
