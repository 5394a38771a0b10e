"""What the experiments of wang2012 share."""
