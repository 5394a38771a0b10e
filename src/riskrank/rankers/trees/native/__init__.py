"""The engine `native`: trees of our own, grown by the loops of `kernels/histogram_trees`."""
