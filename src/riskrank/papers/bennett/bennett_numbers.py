"""The numbers that Bennett et al. 2015 print: Tables 1 and 2, and what the text says of them."""

from __future__ import annotations

from typing import NamedTuple

# Table 1: a page of ten documents, of which the sixth was clicked.
CLICKED = (0, 0, 0, 0, 0, 1, 0, 0, 0, 0)
PLACES = {"A": (2, 3, 4, 5, 6, 1, 7, 8, 9, 10), "B": (6, 5, 4, 3, 2, 1, 7, 8, 9, 10)}  # of documents 1 … 10
GAINS = {
    0.5: ((4.0, 1), (3.5, 1), (3.0, 1), (2.5, 1), (2.0, 1), (9.0, 1), (1.5, 1), (1.0, 1), (0.5, 2), (0, 0)),
    0.05: ((0.4, 2), (0.35, 2), (0.3, 2), (0.25, 2), (0.2, 2), (9.0, 1), (0.15, 2), (0.1, 2), (0.05, 2), (0, 0)),
}  # β → gain and printed digits of each document, α = 1
PRESENTED_NDCG = {0.5: 0.80, 0.05: 0.20}  # β → nDCG@10 of the presented order (§2.1)

COLUMNS = ("Param.", "M", "ΔM", "ΔM/R", "% Re-ranked", "% Risk", "% Gain", "K-τ", "K-τ|R")  # M: the log's measure


class PrintedRow(NamedTuple):
    """A method of Table 2; `effectiveness` was not released for Bing."""

    parameter: str
    effectiveness: float | None
    gain: float
    gain_per_reranked: float
    reranked: float
    risk_share: float
    gain_share: float
    kendall_tau: float
    kendall_tau_reranked: float


# Table 2: log → method → row. Methods in the paper's order, named as riskrank names them.
TABLE_2 = {
    "bing": {
        "Standard Gain": PrintedRow("α = 0", None, 1.06, 2.58, 41.19, 100.00, 100.00, 95.43, 88.90),
        "Weight-Initial-Pref": PrintedRow("β = 0.2", None, 1.01, 17.08, 5.92, 59.27, 95.28, 99.39, 89.70),
        "Risk Sensitive": PrintedRow("α = 5", None, 0.95, 9.46, 10.04, 37.87, 89.39, 99.02, 90.23),
        "RS (min risk, gain parity)": PrintedRow("α = 1.6", None, 1.01, 4.87, 20.77, 57.95, 95.21, 97.83, 89.55),
        "RS (max gain, near re-rank)": PrintedRow("α = 10", None, 0.87, 10.27, 8.43, 26.99, 81.54, 99.24, 90.98),
        "Lowest-Click-Plus-One": PrintedRow("β = 1.2", None, 0.93, 1.50, 62.02, 50.46, 87.53, 91.74, 86.68),
    },
    "wscd12": {
        "Standard Gain": PrintedRow("α = 0", 68.12, 1.43, 1.46, 98.14, 100.00, 100.00, 80.82, 80.46),
        "Weight-Initial-Pref": PrintedRow("β = 0.4", 67.90, 1.21, 2.48, 49.01, 55.34, 84.60, 96.18, 92.21),
        "Risk Sensitive": PrintedRow("α = 1.7", 67.90, 1.22, 1.87, 65.35, 43.37, 85.19, 92.60, 88.68),
        "RS (min risk, gain parity)": PrintedRow("α = 1.7", 67.90, 1.22, 1.87, 65.35, 43.37, 85.19, 92.60, 88.68),
        "RS (max gain, near re-rank)": PrintedRow("α = 3", 67.66, 0.97, 1.92, 50.82, 25.24, 67.93, 95.39, 90.93),
        "Lowest-Click-Plus-One": PrintedRow("β = 0.9", 67.02, 0.34, 0.34, 99.87, 28.15, 23.72, 74.87, 74.84),
    },
    "wscd14": {
        "Standard Gain": PrintedRow("α = 0", 80.54, 0.8255, 0.88, 93.99, 100.00, 100.00, 88.38, 87.64),
        "Weight-Initial-Pref": PrintedRow("β = 0.01", 80.45, 0.7324, 4.24, 17.27, 55.20, 88.72, 97.74, 86.91),
        "Risk Sensitive": PrintedRow("α = 3", 80.41, 0.6949, 4.21, 16.50, 32.37, 84.18, 98.07, 88.30),
        "RS (min risk, gain parity)": PrintedRow("α = 2", 80.45, 0.7317, 3.39, 21.58, 40.39, 88.64, 97.54, 88.60),
        "RS (max gain, near re-rank)": PrintedRow("α = 3", 80.41, 0.6949, 4.21, 16.50, 32.37, 84.18, 98.07, 88.30),
        "Lowest-Click-Plus-One": PrintedRow("β = 1", 80.13, 0.4162, 0.42, 99.98, 45.45, 50.42, 79.70, 79.70),
    },
}
# How far ours may be from the printed number, by column: other samples of the log, and features of our own.
LIMITS = PrintedRow("", 1.0, 0.3, 0.5, 10.0, 10.0, 10.0, 3.0, 3.0)
