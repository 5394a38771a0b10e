"""What the numbers say, in sentences: the same for terminals, pages and notebooks."""
