"""Where tables come from: files, databases, and what Python programs hold."""
