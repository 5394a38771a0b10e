"""What the papers of Dinçer, Macdonald and Ounis share: a track's runs, and how models are trained."""
