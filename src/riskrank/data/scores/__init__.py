"""Scores from outside: files of scores, and matrices of them."""
