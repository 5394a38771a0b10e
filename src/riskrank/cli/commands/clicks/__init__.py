"""The commands that learn from clicks."""
