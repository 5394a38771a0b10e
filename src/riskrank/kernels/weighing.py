"""Gradients multiplied by weights, as LightGBM does for its ranking objectives: after a query's pairs are added up."""

from __future__ import annotations

from riskrank.kernels.compiled import compiled


@compiled
def weigh_gradients(queries, _scores, offsets, weights, out):
    """Multiply the gradient and hessian of each document of some queries by the document's weight."""
    for q in queries:
        for i in range(offsets[q], offsets[q + 1]):
            out.gradient[i] *= weights[i]
            out.hessian[i] *= weights[i]
