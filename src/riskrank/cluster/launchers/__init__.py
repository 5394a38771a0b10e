"""A launcher for each engine, which starts workers there."""
