"""Compiled loops: kept on disk, told apart by what the functions inside them say, and loaded by other processes."""

from __future__ import annotations

import gc
import importlib
import inspect
import io
import json
import os
import pkgutil
import subprocess
import sys
import types
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

import riskrank.kernels
from riskrank import progress
from riskrank.kernels.compiled import _UnclearError, code_digest, compiled, inlined


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


def test_equal_functions_have_the_same_digest():
    text = "def g(x):\n    return 2.0 * x\ndef f(x):\n    return g(x) + LIMIT\n"
    assert code_digest(functions(text, LIMIT=3.0)) == code_digest(functions(text, LIMIT=3.0))
    assert code_digest(closed_over(1.0)) == code_digest(closed_over(1.0))
    assert code_digest(with_default(2)) == code_digest(with_default(2))
    assert code_digest(closed_over(closed_over(1.0))) == code_digest(closed_over(closed_over(1.0)))
    assert code_digest(1.0, True, None, "x") == code_digest(1.0, True, None, "x")


def test_constants_of_numpy_count_by_type_and_value():
    assert code_digest(np.float32(0.5)) == code_digest(np.float32(0.5))
    assert len({code_digest(number) for number in (np.float32(0.5), np.float64(0.5), np.float32(0.25))}) == 3


def test_an_intrinsic_counts_by_what_it_generates():
    def intrinsic(value):
        return numba.extending.intrinsic(closed_over(value))

    assert code_digest(intrinsic(1.0)) == code_digest(intrinsic(1.0)) != code_digest(intrinsic(2.0))


def test_functions_compiled_in_the_same_way_have_the_same_digest():
    names = ["nsz", "arcp", "contract"]
    one, other = (inlined(closed_over(1.0), fastmath=set(order)) for order in (names, names[::-1]))
    assert code_digest(one) == code_digest(other)


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
        pytest.param(closed_over(record("x", "y")(0, 1)), closed_over(record("y", "x")(0, 1)), id="named constants"),
        pytest.param(closed_over(np.arange(2)), closed_over(np.arange(2.0)), id="table"),
        pytest.param(inlined(closed_over(1.0)), inlined(closed_over(1.0), fastmath=True), id="options"),
        pytest.param(with_default(2), with_default(3), id="default"),
        pytest.param(True, False, id="flag"),
        pytest.param(1, True, id="type"),
    ],
)
def test_functions_that_do_different_things_have_different_digests(one, other):
    assert code_digest(one) != code_digest(other)


def test_what_reads_another_module_has_no_digest():
    with pytest.raises(_UnclearError):
        code_digest(reads(2.0))


def sum_of(part):
    inner = inlined(part)

    def loop(n):
        total = 0.0
        for i in range(n):
            total += inner(1.0 * i)
        return total

    return compiled(loop)


def test_a_part_may_call_plain_functions():
    text = "def g(x):\n    return 2.0 * x\ndef f(x):\n    return g(x) + LIMIT\n"
    assert sum_of(functions(text, LIMIT=3.0))(4) == 2 * (0 + 1 + 2 + 3) + 4 * 3


def test_every_kernel_has_a_digest():
    """Without one, it would be compiled anew in each process."""
    for module in pkgutil.walk_packages(riskrank.kernels.__path__, "riskrank.kernels."):
        for loop in vars(importlib.import_module(module.name)).values():
            if isinstance(loop, Dispatcher):
                assert code_digest(loop)


LOOPS = f"""
import json, sys
from riskrank.kernels.compiled import compiled, inlined

STEP = float(sys.argv[1])

def grow(x):
    return x + STEP

{inspect.getsource(sum_of)}
loop = sum_of(grow)
print(json.dumps({{"value": loop(3), "hits": sum(loop.stats.cache_hits.values())}}))
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
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


LOOP_WITHOUT_DIGEST = """
import json, statistics
from riskrank.kernels.compiled import compiled

statistics.STEP = 5.0

@compiled
def loop(x):
    return x + statistics.STEP

print(json.dumps({"value": loop(2.0), "hits": sum(loop.stats.cache_hits.values())}))
"""


def test_what_has_no_digest_is_compiled_but_not_kept(tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP_WITHOUT_DIGEST)
    for _ in range(2):
        assert run(path, tmp_path / "cache") == {"value": 7.0, "hits": 0}


def test_another_process_loads_the_loop_of_the_same_parts_only(tmp_path):
    path = tmp_path / "loops.py"
    path.write_text(LOOPS)
    assert run(path, tmp_path / "cache", "1") == {"value": 6.0, "hits": 0}
    assert run(path, tmp_path / "cache", "1") == {"value": 6.0, "hits": 1}
    assert run(path, tmp_path / "cache", "2") == {"value": 9.0, "hits": 0}
    assert run(path, tmp_path / "cache", "2") == {"value": 9.0, "hits": 1}


LOOP_OF_SEVERAL_MODULES = """
import json
from riskrank.kernels.compiled import compiled
from settings import STEP, grow

@compiled
def loop(x):
    return half(grow(x)) + STEP

@compiled
def half(x):
    return x / 2 + STEP

print(json.dumps({"value": loop(2.0), "hits": sum(loop.stats.cache_hits.values())}))
"""
SETTINGS = """
from riskrank.kernels.compiled import compiled

STEP = {step}
OPTIONS = {options}

@compiled(**OPTIONS)
def grow(x):
    return {factor} * x
"""


def test_a_change_in_a_module_that_a_loop_imports_from_is_noticed(tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP_OF_SEVERAL_MODULES)
    for settings, value in [
        ({"step": 1.0, "factor": 4.0, "options": {}}, 6.0),
        ({"step": 3.0, "factor": 4.0, "options": {}}, 10.0),  # a constant
        ({"step": 3.0, "factor": 8.0, "options": {}}, 14.0),  # a function
        ({"step": 3.0, "factor": 8.0, "options": {"fastmath": {"nsz", "arcp"}}}, 14.0),  # how it is compiled
    ]:
        (tmp_path / "settings.py").write_text(SETTINGS.format(**settings))
        assert run(path, tmp_path / "cache") == {"value": value, "hits": 0}
        assert run(path, tmp_path / "cache") == {"value": value, "hits": 1}


LOOP_OF_A_NAMED_TUPLE = """
import json
import points
from riskrank.kernels.compiled import compiled

@compiled
def loop(point):
    return point.x + 1.0

print(json.dumps({{"value": loop(points.{name}(2.0)), "hits": sum(loop.stats.cache_hits.values())}}))
"""
POINTS = """
from typing import NamedTuple

class {name}(NamedTuple):
    x: float
"""


def test_another_process_compiles_anew_a_loop_whose_argument_has_another_name(tmp_path):
    path = tmp_path / "loop.py"
    for name in ("Point", "Place"):
        path.write_text(LOOP_OF_A_NAMED_TUPLE.format(name=name))
        (tmp_path / "points.py").write_text(POINTS.format(name=name))
        assert run(path, tmp_path / "cache") == {"value": 3.0, "hits": 0}
        assert run(path, tmp_path / "cache") == {"value": 3.0, "hits": 1}


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


# What users wait for.

FIRST_TRAINING = """
import json
from collections import Counter
from numba.core import event
import numpy as np
import riskrank as rr

class Compiled(event.Listener):
    names = []

    def on_start(self, start):
        function = start.data["dispatcher"].py_func
        self.names.append(f"{function.__module__}.{function.__name__}")

    def on_end(self, end):
        pass

event.register("numba:compile", Compiled())
rng = np.random.default_rng(0)
data = rr.RankingData.from_arrays(rng.random((400, 3)), rng.integers(0, 3, 400), group=[20] * 20)
rr.LambdaMART(rr.URisk(), n_trees=2, n_leaves=3, engine="native").fit(data, baseline=rr.Feature(1))
print(json.dumps(Compiled.names))
"""


def test_a_first_training_compiles_no_loop_twice_and_no_texts(tmp_path):
    """Types that change within a loop have what it calls compiled twice; copies of parts of arrays compile messages."""
    path = tmp_path / "training.py"
    path.write_text(FIRST_TRAINING)
    names = run(path, tmp_path / "cache")
    ours = [name for name in names if name.startswith("riskrank.kernels.")]
    assert "riskrank.kernels.histogram_trees.grow.split_leaf" in ours
    assert sorted(set(ours)) == sorted(ours)
    assert [name for name in names if name.startswith("numba.cpython.unicode")] == []


def fresh_loop(number):
    """A loop that no cache has."""
    space = {"compiled": compiled}
    exec(compile(f"@compiled\ndef loop(x):\n    return x + {number}\n", "<nowhere>", "exec"), space)
    return space["loop"]


def test_a_command_says_once_that_it_compiles(monkeypatch):
    said = []
    monkeypatch.setattr(progress, "tell", said.append)
    assert [fresh_loop(number)(1) for number in (1, 2)] == [2, 3]
    assert said == ["compiling loops for this machine, once per installation."]


def test_a_bar_says_what_is_compiled(monkeypatch):
    said = []
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr(progress, "tell", said.append)
    with progress.Progress("training", 2, show=True):
        fresh_loop(3)(1)
        shown = sys.stderr.getvalue()
    assert shown == "\rtraining: compiling loops for this machine, once per installation (loop)"
    assert said == []


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_collected_while_a_loop_is_compiled(monkeypatch, collects):
    seen = []
    monkeypatch.setattr(progress, "tell", lambda _: seen.append(gc.isenabled()))
    was_enabled = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        fresh_loop(4)(1)
        assert seen == [False]
        assert gc.isenabled() == collects
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_garbage_is_collected_again_after_a_loop_that_cannot_be_compiled():
    loop = fresh_loop("'text'")
    assert gc.isenabled()
    with pytest.raises(numba.TypingError):
        loop(1)
    assert gc.isenabled()
