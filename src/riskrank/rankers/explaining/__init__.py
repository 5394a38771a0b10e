"""What a model's features do: to its effectiveness and risk, and to the score of a document."""
