"""Trees grown best leaf first, slowly and obviously: documents are Python numbers, every split is tried."""

from __future__ import annotations

import numpy as np

MISSING = 255


def unpacked(packed, packing):
    """Gradient, hessian and number of each document, as whole numbers."""
    above = packing.number_bits + packing.hessian_bits
    return [
        (p >> above, (p >> packing.number_bits) % (1 << packing.hessian_bits), p % (1 << packing.number_bits))
        for p in packed.tolist()
    ]


def worth(g, h, l2):
    return g * g / (h + l2)


def best_split(codes, parts, members, n_bins, rules):
    """(gain, column, cut, does what is missing go left) of a leaf; a gain of 0 says that there is none."""
    total = [sum(parts[i][k] for i in members) for k in range(3)]
    best = (0.0, -1, 0, False)
    least = worth(float(total[0]), float(total[1]), rules.l2) * (1 + 1e-10)
    top = least
    for column in range(codes.shape[1]):
        is_missing = [i for i in members if codes[i, column] == MISSING]
        for missing_left in (False, True) if is_missing else (False,):
            for cut in range(n_bins[column] - (not is_missing)):
                left = [i for i in members if codes[i, column] <= cut or (missing_left and i in is_missing)]
                sums = [sum(parts[i][k] for i in left) for k in range(3)]
                rest = [a - b for a, b in zip(total, sums, strict=True)]
                if min(sums[2], rest[2]) < rules.least_number or min(sums[1], rest[1]) < rules.least_hessian:
                    continue
                g, h, others, rest_h = (float(x) for x in (sums[0], sums[1], rest[0], rest[1]))
                a, b = h + rules.l2, rest_h + rules.l2
                value = (g * g * b + others * others * a) / (a * b)
                if value > top:
                    top = value
                    goes_left = missing_left if is_missing else 2 * sums[2] >= total[2]
                    best = (value - worth(float(total[0]), float(total[1]), rules.l2), column, cut, goes_left)
    return best


def plain_tree(codes, parts, n_bins, rules, n_leaves, max_depth=10**9):
    """The splits of a tree: (leaf, column, cut, missing left, gain)."""
    leaves, depths, splits = [list(range(len(codes)))], [0], []
    best = [best_split(codes, parts, leaves[0], n_bins, rules)]
    while len(leaves) < n_leaves:
        gains = [split[0] if depth < max_depth else 0.0 for split, depth in zip(best, depths, strict=True)]
        leaf = int(np.argmax(gains))
        if gains[leaf] <= 0:
            break
        gain, column, cut, missing_left = best[leaf]
        members = leaves[leaf]
        left = [i for i in members if codes[i, column] <= cut or (missing_left and codes[i, column] == MISSING)]
        leaves[leaf] = left
        leaves.append([i for i in members if i not in set(left)])
        depths[leaf] += 1
        depths.append(depths[leaf])
        splits.append((leaf, column, cut, missing_left, gain))
        best[leaf] = best_split(codes, parts, leaves[leaf], n_bins, rules)
        best.append(best_split(codes, parts, leaves[-1], n_bins, rules))
    return splits
