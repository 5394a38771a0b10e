"""Bytes from wherever and however files are kept: packed, or on other machines."""
