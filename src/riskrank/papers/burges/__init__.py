"""What the experiments of burges2006 share."""
