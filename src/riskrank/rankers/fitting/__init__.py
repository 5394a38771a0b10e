"""Training, from data in every form to a fitted ranker."""
