"""Samples of documents: what a tree sees."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from riskrank.rankers.trees.native.document_codes import encoded, find_bins
from riskrank.rankers.trees.native.document_sample import DocumentSample
from riskrank.rankers.trees.native.native_parameters import NativeParameters


def test_a_sample_never_writes_over_the_documents_that_others_are_drawn_from():
    """Not even where the first sample has all of them, and a later one fewer."""
    rng = np.random.default_rng(1)
    features, hessian = rng.random((60, 3), np.float32), np.ones(60, np.float32)
    own = NativeParameters(sample_fraction=0.97)
    documents = encoded(features, find_bins(features, own.max_bin, 1), 1)
    before, is_seen = documents.codes.copy(), False
    for _ in range(40):
        sample, sizes = DocumentSample(documents, own, 1), []
        for iteration in range(3):
            gradient = rng.normal(size=60).astype(np.float32)
            drawn, _, _ = sample.draw(SimpleNamespace(gradient=gradient, hessian=hessian), iteration)
            sizes.append(len(drawn.rows))
        is_seen |= sizes[0] == 60 and min(sizes) < 60
        np.testing.assert_array_equal(documents.codes, before)
    assert is_seen
