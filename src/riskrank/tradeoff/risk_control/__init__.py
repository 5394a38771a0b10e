"""Operating points whose risk is controlled with a guarantee."""
