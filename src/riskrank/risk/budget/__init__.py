"""Risk budgets: limits on what a candidate may lose, and the checks of them."""
