"""The page of a gate, and what notebooks show of it."""
