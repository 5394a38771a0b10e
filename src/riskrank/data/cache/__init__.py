"""Features that were read before, kept in a folder."""
