"""The page of a sweep, and what a notebook shows of it."""
