"""How the models of a sweep are trained and judged, fold by fold."""
