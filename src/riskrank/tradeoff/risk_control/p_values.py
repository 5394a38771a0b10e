"""P-values for the hypothesis that the mean of bounded losses lies above a budget, without any distribution.

Each is at most p with probability at most p when the true mean is above the budget, for any number of independent
queries: they need no normality and no large samples.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskrank.risk.inference.incomplete_beta import incomplete_beta

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from riskrank.typing import Floats


def hoeffding_bentkus(losses: ArrayLike, budget: float) -> Floats:
    r"""The smaller of Hoeffding's and Bentkus's bounds, for each row of losses in [0, 1].

    .. math:: \min\{ e^{-n\, h(\min(\bar L, \epsilon), \epsilon)},\; e\, P(\mathrm{Bin}(n, \epsilon)
       \le \lceil n \bar L \rceil) \}, \quad h(a, b) = a \log\frac ab + (1 - a) \log\frac{1 - a}{1 - b}

    Bates et al. 2021; Angelopoulos et al. 2021. Departures: none.

    >>> float(hoeffding_bentkus([[0.0] * 100], 0.05)[0].round(4))
    0.0059
    """
    rows = np.atleast_2d(np.asarray(losses, dtype=np.float64))
    n = rows.shape[1]
    mean = rows.mean(axis=1)
    low = np.minimum(mean, budget)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.where(low > 0, low * np.log(low / budget), 0.0) + (1 - low) * np.log((1 - low) / (1 - budget))
    hoeffding = np.exp(-n * np.maximum(entropy, 0.0))
    # n times a mean of whole numbers may lie a last bit above the whole number.
    bentkus = math.e * binomial_cdf(np.ceil(n * mean - 1e-9), n, budget)
    return np.asarray(np.minimum(1.0, np.minimum(hoeffding, bentkus)))


def betting(losses: ArrayLike, budget: float, *, level: float) -> Floats:
    r"""One over the most that a gambler ever had who bets, query by query, that the mean is below the budget.

    .. math:: K_t = \prod_{i \le t} (1 - \nu_i (L_i - \epsilon)), \quad p = 1 / \max_t K_t

    Waudby-Smith & Ramdas 2024, §4: the stakes :math:`\nu_i` follow the variance seen before query i, so that losses
    that vary little are told from the budget with few queries. `level`: where the test will be made; the stakes are
    set for it, the p-value is valid at any. The queries must be in an order that does not depend on their losses: in
    another order the p-value is another, and taking the best of several orders is not valid.

    >>> float(betting([[0.0] * 100], 0.05, level=0.1)[0].round(4))
    0.0098
    """
    rows = np.atleast_2d(np.asarray(losses, dtype=np.float64))
    n = rows.shape[1]
    counts = np.arange(1, n + 1)
    # As if half the budget had been seen before the first query.
    mean = (0.5 * budget + np.cumsum(rows, axis=1)) / (counts + 1)
    spread = np.cumsum(np.square(rows - mean), axis=1)
    variance = (0.25 * budget + spread) / (counts + 1)
    before = np.concatenate([np.full((len(rows), 1), 0.25 * budget), variance[:, :-1]], axis=1)
    stakes = np.minimum(np.sqrt(2 * math.log(1 / level) / (n * before)), LARGEST_STAKE / (1 - budget))
    capital = np.cumsum(np.log1p(-stakes * (rows - budget)), axis=1)
    return np.asarray(np.exp(-np.maximum(capital.max(axis=1), 0.0)))


LARGEST_STAKE = 0.9  # of what is at hand; with more, the first loss of 1 takes nearly all of it


def mixture(losses: ArrayLike, budget: float, *, level: float) -> Floats:
    r"""One over what gamblers have on average in the end who bet that the mean is below the budget, each a fixed stake.

    .. math:: p = \min\{1, 1 / E\}, \quad E = \frac1J \sum_j \prod_i (1 - \nu_j (L_i - \epsilon)), \quad
       \nu_j = \min\Bigl\{\sqrt{\frac{2 \log(1/\delta)}{n\, v_j \epsilon}}, \frac{0.9}{1 - \epsilon}\Bigr\}

    The mean of E is at most 1 when the mean loss is above the budget, so that 1 / E is a p-value by Markov's inequality
    (Waudby-Smith & Ramdas 2024, §4, with a mixture of stakes as in Cover's universal portfolio). Each stake is the best
    at the level δ for losses whose variance is :math:`v_j \epsilon`: about that of losses of 0 or 1, half of it, and
    so on. Departure: four stakes, not a continuum.

    The order of the queries does not matter. It is weaker than `betting`, where the most that was ever had counts.

    >>> float(mixture([[0.0] * 100], 0.05, level=0.1)[0].round(4))
    0.0098
    """
    rows = np.atleast_2d(np.asarray(losses, dtype=np.float64))
    n = rows.shape[1]
    stakes = np.minimum(np.sqrt(2 * math.log(1 / level) / (n * VARIANCES * budget)), LARGEST_STAKE / (1 - budget))
    # Sorted, sums are the same to the last bit in any order of the queries.
    capital = np.array([np.log1p(-stake * (np.sort(rows, axis=1) - budget)).sum(axis=1) for stake in stakes])
    most = capital.max(axis=0)
    return np.asarray(np.minimum(1.0, np.exp(-most) / np.exp(capital - most).mean(axis=0)))


VARIANCES = np.array([1.0, 0.5, 0.25, 0.125])  # that the fixed stakes are for, over the budget


def exact_binomial(hurt: ArrayLike, budget: float) -> Floats:
    """P(Bin(n, budget) ≤ the number hurt), for each row of losses that are 0 or 1.

    >>> float(exact_binomial([[0] * 100], 0.05)[0].round(4))
    0.0059
    """
    rows = np.atleast_2d(np.asarray(hurt, dtype=np.float64))
    return binomial_cdf(rows.sum(axis=1), rows.shape[1], budget)


def binomial_cdf(successes: ArrayLike, n: int, probability: float) -> Floats:
    """P(Bin(n, probability) ≤ successes), which is I_{1−p}(n − k, k + 1).

    >>> binomial_cdf([0, 1, 2], 2, 0.5).round(6).tolist()
    [0.25, 0.75, 1.0]
    """
    values = [
        1.0 if k >= n else 0.0 if k < 0 else float(incomplete_beta(1 - probability, probability, n - k, k + 1))
        for k in np.atleast_1d(np.asarray(successes)).astype(np.int64).tolist()
    ]
    return np.array(values)
