"""LETOR files: read, line by line, and written."""
