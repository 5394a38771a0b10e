"""What the experiments of bennett2015 share."""
