"""The page of a sweep over clicks, and what a notebook shows of it."""
