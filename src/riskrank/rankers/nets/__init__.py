"""Neural rankers."""
