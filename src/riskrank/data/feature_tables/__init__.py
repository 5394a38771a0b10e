"""Feature data from tables: which column is what, and how rows become documents of queries."""
