"""Rankers that use a model on some queries only."""
