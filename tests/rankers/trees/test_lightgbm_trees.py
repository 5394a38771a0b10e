"""Trees of LightGBM: what only it has."""

from __future__ import annotations

import subprocess
import sys

LINEAR = """
import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
data = web_search_data(20, documents_per_query=12, n_features=20)
try:
    rr.LambdaMART(n_trees=2, n_leaves=4, engine_params={"linear_tree": True}).fit(data).predict(data)
except rr.errors.ParameterError as error:
    print(error)
"""


def test_linear_trees_are_refused():
    """In a process of its own: LightGBM would read the raw features for them, which may be gone, and crash."""
    done = subprocess.run([sys.executable, "-c", LINEAR], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "LightGBM refuses the parameters: linear_tree=True cannot be had here.\n"
