"""Charts, as Altair objects."""
