"""Click logs in every layout."""
