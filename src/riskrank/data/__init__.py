"""What is read and held: judgments, runs, feature data, scores."""
