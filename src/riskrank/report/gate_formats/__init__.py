"""Gates in the formats of the places where builds show them."""
