"""The numbers that Dinçer et al. 2016 print in Tables 6 and 7, and beside Table 6 in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Row = tuple[str, int]  # a learner and its α


class Table6Row(NamedTuple):
    """A row of Table 6; ranks are beside it in `RANKS`."""

    err: float
    urisk_0: float | None
    trisk_0: float | None
    tstar_0: float
    zrisk_0: float
    georisk_0: float
    urisk_5: float | None
    trisk_5: float | None
    tstar_5: float | None
    zrisk_5: float
    georisk_5: float
    georisk_20: float


DIGITS = Table6Row(4, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3)
COLUMNS = dict(
    zip(
        Table6Row._fields,
        ("ERR@20", "URisk α=0", "TRisk α=0", "T*Risk α=0", "ZRisk α=0", "GeoRisk α=0", "URisk α=5", "TRisk α=5",
         "T*Risk α=5", "ZRisk α=5", "GeoRisk α=5", "GeoRisk α=20"),
        strict=True,
    )
)  # fmt: skip
TABLE_6 = {
    "uogTrA44xu": Table6Row(0.3406, 0.146, 2.822, 4.833, 0.962, 0.4158, -0.130, -0.798, 2.767, -29.255, 0.308, 0.053),
    "srchvrs12c00": Table6Row(
        0.3067, 0.112, 2.332, 2.985, -0.912, 0.3887, -0.100, -0.673, -0.678, -37.069, 0.265, 0.024
    ),
    "DFalah121A": Table6Row(0.2920, 0.097, 2.290, 2.895, -0.328, 0.3811, -0.156, -0.981, -0.861, -32.635, 0.274, 0.037),
    "QUTparaBline": Table6Row(
        0.2901, 0.095, 2.130, 2.870, 0.004, 0.3809, -0.189, -1.112, -1.006, -30.966, 0.279, 0.044
    ),
    "utw2012c1": Table6Row(0.2203, 0.026, 0.561, 0.917, -0.172, 0.3314, -0.388, -2.046, -2.987, -29.807, 0.246, 0.044),
    "ICTNET12ADR2": Table6Row(
        0.2149, 0.020, 0.487, 0.569, 0.233, 0.3284, -0.329, -1.994, -3.238, -32.887, 0.234, 0.030
    ),
    "indriCASP": Table6Row(0.1947, None, None, -0.120, -0.339, 0.3111, None, None, None, -38.619, 0.207, 0.014),
    "autoSTA": Table6Row(0.1735, -0.021, -0.498, -0.968, -0.143, 0.2942, -0.509, -2.518, -4.195, -38.215, 0.196, 0.014),
    "irra12c": Table6Row(0.1723, -0.022, -0.545, -1.214, 0.265, 0.2942, -0.501, -2.634, -4.510, -30.410, 0.216, 0.035),
}
RANKS = {  # the columns R of Table 6, of the runs in its order; the baseline has none where it is held against itself
    "zrisk_0": (1, 9, 7, 4, 6, 3, 8, 5, 2),
    "georisk_0": (1, 2, 3, 4, 5, 6, 7, 8, 9),
    "urisk_5": (2, 1, 3, 4, 6, 5, None, 8, 7),
    "trisk_5": (2, 1, 3, 4, 6, 5, None, 7, 8),
    "tstar_5": (1, 2, 3, 4, 5, 6, None, 7, 8),
    "zrisk_5": (1, 7, 5, 4, 2, 6, 9, 8, 3),
    "georisk_5": (1, 4, 3, 2, 5, 6, 8, 9, 7),
    "georisk_20": (1, 7, 4, 3, 2, 6, 8, 9, 5),
}
P_VALUES = {  # §5, paired t-tests; the first is printed as "p < 0.0239"
    ("indriCASP", "srchvrs12c00"): 0.0239,
    ("DFalah121A", "srchvrs12c00"): 0.7592,
    ("QUTparaBline", "srchvrs12c00"): 0.7003,
}


class Table7Row(NamedTuple):
    """A row of Table 7."""

    effectiveness: float
    reward: float
    risk: float
    reward_per_risk: float
    wins: float
    losses: float
    wins_per_loss: float
    large_losses: float


AGAINST_BM25: Mapping[Row, Table7Row] = {
    ("L'MART", 0): Table7Row(0.4578, 0.195, 0.036, 5.401, 5892, 1715, 3.44, 982),
    ("U-CRO", 1): Table7Row(0.4558, 0.192, 0.035, 5.472, 5913, 1684, 3.51, 965),
    ("U-CRO", 5): Table7Row(0.4461, 0.180, 0.032, 5.552, 5913, 1666, 3.55, 880),
    ("T-FARO", 1): Table7Row(0.4576, 0.194, 0.035, 5.568, 5928, 1671, 3.55, 963),
    ("T-FARO", 5): Table7Row(0.4569, 0.194, 0.036, 5.435, 5889, 1719, 3.43, 995),
    ("T*-FARO", 1): Table7Row(0.4557, 0.194, 0.037, 5.25, 5857, 1753, 3.34, 1016),
    ("T*-FARO", 5): Table7Row(0.4562, 0.194, 0.037, 5.26, 5861, 1737, 3.37, 999),
    ("GeoRisk", 1): Table7Row(0.4581, 0.196, 0.037, 5.327, 5868, 1732, 3.39, 992),
    ("GeoRisk", 5): Table7Row(0.4557, 0.195, 0.038, 5.179, 5876, 1728, 3.40, 1037),
}
AGAINST_LEARNED: Mapping[Row, Table7Row] = {
    ("L'MART", 0): Table7Row(0.4578, 0.061, 0.053, 1.138, 3978.3, 3669.0, 1.12, 1722.5),
    ("U-CRO", 1): Table7Row(0.4558, 0.059, 0.053, 1.103, 3954.5, 3690.0, 1.11, 1718.8),
    ("U-CRO", 5): Table7Row(0.4461, 0.051, 0.056, 0.941, 3748.8, 3887.3, 1.01, 1825.8),
    ("T-FARO", 1): Table7Row(0.4576, 0.059, 0.052, 1.137, 3965.5, 3674.3, 1.12, 1677.0),
    ("T-FARO", 5): Table7Row(0.4569, 0.059, 0.052, 1.121, 3967.3, 3676.5, 1.12, 1692.0),
    ("T*-FARO", 1): Table7Row(0.4557, 0.042, 0.051, 0.820, 3562.0, 4079.5, 0.87, 1821.5),
    ("T*-FARO", 5): Table7Row(0.4562, 0.041, 0.053, 0.823, 3539.0, 4099.5, 0.86, 1783.5),
    ("GeoRisk", 1): Table7Row(0.4581, 0.061, 0.054, 1.142, 4017.0, 3628.8, 1.15, 1709.8),
    ("GeoRisk", 5): Table7Row(0.4557, 0.060, 0.055, 1.095, 3974.0, 3674.0, 1.12, 1756.5),
}
