"""What a gate goes by: limits, segments, weights, accepted losses, and the files that hold them."""
