"""Results of learning from clicks, as people see them."""
