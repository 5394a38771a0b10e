"""Compiled loops. Importing a module here loads Numba; do it only where the loop is needed."""
