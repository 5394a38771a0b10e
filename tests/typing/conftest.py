"""The two scripts here are read by type checkers, not run."""

collect_ignore = ["mistakes.py", "readme_calls.py"]
