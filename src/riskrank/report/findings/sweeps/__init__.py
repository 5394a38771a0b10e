"""What a sweep says, in sentences."""
