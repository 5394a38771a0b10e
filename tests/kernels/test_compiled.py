"""Compiled loops: kept on disk, told apart by what the functions inside them say, and loaded by other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile, NullCache

from riskrank.kernels.compiled import _UnclearError, compiled, fingerprint, inlined, specialised


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


# Loops that are closed over functions.


def functions(text, **names):
    """The function `f` of some code, and names that it may use."""
    space = dict(names)
    exec(text, space)
    return space["f"]


def closed_over(value):
    def f(x):
        return x + value

    return f


def with_default(value):
    def f(x, power=value):
        return x**power

    return f


def module(name, **contents):
    module = types.ModuleType(name)
    vars(module).update(contents)
    return module


def test_equal_functions_have_the_same_fingerprint():
    text = "def g(x):\n    return 2.0 * x\ndef f(x):\n    return g(x) + LIMIT\n"
    assert fingerprint(functions(text, LIMIT=3.0)) == fingerprint(functions(text, LIMIT=3.0))
    assert fingerprint(closed_over(1.0)) == fingerprint(closed_over(1.0))
    assert fingerprint(with_default(2)) == fingerprint(with_default(2))
    assert fingerprint(closed_over(closed_over(1.0))) == fingerprint(closed_over(closed_over(1.0)))
    assert fingerprint(1.0, True, None, "x") == fingerprint(1.0, True, None, "x")


def test_a_compiled_function_has_the_fingerprint_of_its_source():
    assert fingerprint(inlined(closed_over(1.0))) == fingerprint(closed_over(1.0))


def record(*fields):
    return NamedTuple("Record", [(field, float) for field in fields])


def adds(limit):
    return functions("def f(x): return x + LIMIT", LIMIT=limit)


def calls(helper):
    return functions("def f(x): return helper(x)", helper=helper)


def reads(power):
    return functions("def f(x): return x * settings.POWER", settings=module("settings", POWER=power))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(lambda x: x + 1.0, lambda x: x + 2.0, id="constant"),
        pytest.param(lambda x: x + 1, lambda x: x + 1.0, id="type of a constant"),
        pytest.param(lambda x: x + 1.0, lambda x: x - 1.0, id="operation"),
        pytest.param(adds(1.0), adds(2.0), id="global"),
        pytest.param(adds(1), adds(True), id="type of a global"),
        pytest.param(calls(lambda x: x), calls(lambda x: -x), id="helper"),
        pytest.param(calls(closed_over(1.0)), calls(closed_over(2.0)), id="closure of a helper"),
        pytest.param(closed_over(1.0), closed_over(2.0), id="closure"),
        pytest.param(closed_over((1.0, 2.0)), closed_over((2.0, 1.0)), id="order in a closure"),
        pytest.param(closed_over(closed_over(1.0)), closed_over(closed_over(2.0)), id="closure of a closure"),
        pytest.param(closed_over(record("x", "y")), closed_over(record("y", "x")), id="fields"),
        pytest.param(with_default(2), with_default(3), id="default"),
        pytest.param(True, False, id="flag"),
        pytest.param(1, True, id="type"),
    ],
)
def test_functions_that_do_different_things_have_different_fingerprints(one, other):
    assert fingerprint(one) != fingerprint(other)


def test_what_reads_another_module_has_no_fingerprint():
    with pytest.raises(_UnclearError):
        fingerprint(reads(2.0))


def sum_of(part):
    inner = inlined(part)

    def loop(n):
        total = 0.0
        for i in range(n):
            total += inner(1.0 * i)
        return total

    return specialised(loop, loop, inner)


def test_a_part_may_call_plain_functions():
    text = "def g(x):\n    return 2.0 * x\ndef f(x):\n    return g(x) + LIMIT\n"
    assert sum_of(functions(text, LIMIT=3.0))(4) == 2 * (0 + 1 + 2 + 3) + 4 * 3


def test_what_has_no_fingerprint_is_compiled_but_not_kept():
    table = np.array([1.0, 5.0])
    loop = sum_of(functions("def f(x): return TABLE[int(x) % 2]", TABLE=table))
    assert loop(3) == 1 + 5 + 1
    assert isinstance(loop._cache, NullCache)


LOOPS = """
import json, sys
from riskrank.kernels.compiled import inlined, specialised

STEP = float(sys.argv[1])

def grow(x):
    return x + STEP

def sum_of(part):
    inner = inlined(part)
    def loop(n):
        total = 0.0
        for i in range(n):
            total += inner(1.0 * i)
        return total
    return specialised(loop, loop, inner)

loop = sum_of(grow)
print(json.dumps({"value": loop(3), "hits": sum(loop.stats.cache_hits.values())}))
"""


KERNEL = """
import json
import numpy as np
from riskrank import RankingData
from riskrank.kernels.positional import positional_gradients
from riskrank.objectives import URisk

data = RankingData.from_arrays(np.zeros((3, 1)), [0, 1, 2], group=[3])
gradient, _ = URisk("nDCG@5", alpha=1.0).gradients([3.0, 2.0, 1.0], data, [1.0, 2.0, 3.0])
stats = positional_gradients(URisk.target, True).stats
print(json.dumps({"value": gradient.tolist(), "hits": sum(stats.cache_hits.values())}))
"""


def run(path, folder, *arguments):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_another_process_loads_the_loop_of_the_same_parts_only(tmp_path):
    path = tmp_path / "loops.py"
    path.write_text(LOOPS)
    assert run(path, tmp_path / "cache", "1") == {"value": 6.0, "hits": 0}
    assert run(path, tmp_path / "cache", "1") == {"value": 6.0, "hits": 1}
    assert run(path, tmp_path / "cache", "2") == {"value": 9.0, "hits": 0}
    assert run(path, tmp_path / "cache", "2") == {"value": 9.0, "hits": 1}


def test_another_process_loads_the_training_loop(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    first, second = (run(path, tmp_path / "cache") for _ in range(2))
    assert (first["hits"], second["hits"]) == (0, 1)
    assert second["value"] == first["value"]


def one_each(x):
    return 1.0


def two_each(x):
    return 2.0


def test_two_processes_that_compile_at_once_do_not_mix_up_their_loops(tmp_path, monkeypatch):
    """Both read the index before either has written it; the one that finishes first writes its code last."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    save_index, save_data = IndexDataCacheFile._save_index, IndexDataCacheFile._save_data
    first, second = sum_of(one_each), sum_of(two_each)
    late = []
    is_first_to_save = [True]

    def meanwhile_the_other_one_compiles(self, overloads):
        if is_first_to_save:
            is_first_to_save.clear()
            with monkeypatch.context() as other:
                other.setattr(IndexDataCacheFile, "_save_data", lambda *arguments: late.append(arguments))
                assert second(3) == 6.0
        save_index(self, overloads)

    monkeypatch.setattr(IndexDataCacheFile, "_save_index", meanwhile_the_other_one_compiles)
    assert first(3) == 3.0
    assert len(late) == 1
    for arguments in late:
        save_data(*arguments)
    assert sum_of(one_each)(3) == 3.0
    assert sum_of(two_each)(3) == 6.0
