"""How results are shown, one module per kind of result; `riskrank.rendered` loads them by name."""
