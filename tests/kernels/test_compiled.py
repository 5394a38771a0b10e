from __future__ import annotations

import os
import subprocess
import sys

import numba

from riskrank.kernels.compiled import compiled


def test_a_loop_is_compiled_and_cached():
    @compiled
    def double(x):
        return 2 * x

    assert double(4) == 8
    assert isinstance(double, numba.core.registry.CPUDispatcher)


def test_without_a_place_for_the_cache_it_still_compiles(tmp_path):
    """Code that Numba cannot locate a cache for, such as text run by exec, stands for a read-only folder."""
    code = """
from riskrank.kernels.compiled import compiled
space = {"compiled": compiled}
exec(compile("@compiled\\ndef triple(x):\\n    return 3 * x\\n", "<nowhere>", "exec"), space)
assert space["triple"](2) == 6
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
