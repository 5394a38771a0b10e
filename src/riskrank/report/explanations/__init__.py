"""What features do, as text and JSON."""
