"""How experiments of papers look."""
