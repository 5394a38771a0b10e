"""The topic explorer: a system, its topics, and both rankings of each."""
