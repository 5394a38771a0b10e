"""What Wang et al. 2012 print, and within which limits of ours a number of the same data agrees."""

from __future__ import annotations

# Table 1: MSLR, α = 0, 1, 5, 10. The limits are ours: a point of NDCG or reward, a quarter of one of risk, 3 % of the
# queries, and 1 % of them for large losses.
TABLE_1 = {
    "NDCG@1": ((46.166, 45.835, 44.615, 43.658), 1.0),
    "NDCG@10": ((47.272, 47.221, 46.312, 45.540), 1.0),
    "Risk": ((2.239, 1.974, 1.722, 1.540), 0.25),
    "Reward": ((18.642, 18.327, 17.165, 16.282), 1.0),
    "Wins": ((7512, 7630, 7613, 7645), 300),
    "Losses": ((1972, 1845, 1838, 1776), 300),
    "Loss > 20%": ((740, 684, 630, 573), 100),
}
COUNTS = {"Wins": 0, "Losses": 1, "Loss > 20%": 3}  # of queries: their places in `outcomes`
BM25_NDCG = 30.869  # §5.5: of the baseline
# Table 2: Location, α = 0, 1, 5, 10.
TABLE_2 = {
    "ΔMRR": ((1.451, 1.144, 0.784, 0.555), None),
    "Risk": ((0.4725, 0.193, 0.080, 0.051), None),
    "Reward": ((1.923, 1.337, 0.864, 0.606), None),
    "Wins": ((43616, 32253, 23598, 19818), None),
    "Losses": ((24499, 14952, 8041, 8090), None),
    "Loss > 20%": ((2539, 718, 266, 14), None),
}
SEGMENTS = {"MSLR": (27.9, 1.3), "Location": (4.0, 0.04)}  # §5.7: mean and spread over folds
CHOSEN = {"m = 1000": 3, "m = 500": 2, "l = 50": 5, "t = 800": 5, "r = 0.075": 5}  # §5.4: in how many folds
STEPS = {"MSLR": {0: 33.4, 5: 25.4}, "Location": {0: 41.5, 5: 10.2}}  # §5.8: iterations
LEVEL = 0.42  # MSLR: the nDCG@10 whose iterations are counted
LEVEL_SHARE = (LEVEL - 0.30869) / (0.47272 - 0.30869)  # the same level as a share of the way from BM25 to α = 0
BIN_0 = {1: 42, 9: 85, 10: 90}  # Figure 5: percent of the queries that stay close to the baseline's ranking
