"""How workers of XGBoost meet, and what they add up together."""
