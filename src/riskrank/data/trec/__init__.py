"""TREC files: judgments and runs."""
