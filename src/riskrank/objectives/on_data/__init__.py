"""An objective on some data: from scores to gradients, on all cores."""
