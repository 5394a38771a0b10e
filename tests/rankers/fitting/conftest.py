from __future__ import annotations

import dataclasses

import numpy as np
import pytest


@pytest.fixture(scope="module")
def named(train, valid):
    """Training and validation data with document ids."""

    def with_ids(data, prefix):
        ids = [f"{prefix}{i:04d}" for i in range(data.n_documents)]
        return dataclasses.replace(data, document_ids=np.array(ids, dtype=object))

    return with_ids(train, "t"), with_ids(valid, "v")
