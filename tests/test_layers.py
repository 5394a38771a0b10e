"""The import graph: lower layers never import upper ones, nothing imports in circles, and starting is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "riskrank"

# From the bottom up; a layer may import itself and what stands before it.
LAYERS = (
    "typing",
    "errors",
    "registry",
    "cores",
    "programs",
    "renamed",
    "parameters",
    "weights",
    "progress",
    "files",
    "kernels",
    "data",
    "rendered",
    "clicks",
    "measures",
    "risk",
    "assessment",
    "testing",
    "objectives",
    "rankers",
    "tradeoff",
    "cluster",
    "export",
    "monitor",
    "serve",
    "papers",
    "report",
    "cli",
)
TO_COME = {"export", "monitor", "serve"}  # their places are kept

MOST_MODULES = 14  # in a folder: what a reader takes in at a glance
ONE_FILE_EACH = {"measures/standard", "objectives", "report/charts", "cli/commands"}  # these may grow

# Folders whose modules may be named like the one that they are about.
NAMED_AFTER_ANOTHER = {
    "cli/commands": "a command is named after what it runs",
    "report/charts": "a chart is named after what it shows",
    "report/views": "a view is named after what it shows",
    "objectives": "an objective is named after the risk that it trains for",
}

# Modules whose functions and classes may be named like those of others, because that is the point.
SAME_DEFINITIONS = {
    "cli/commands": "each has a function `command`",
    "papers": "papers number their tables and figures alike: `table_1`, `figure_2`",
    "report/charts": "a chart is named after what it draws",
    "report/views": "each has the doors `text`, `notebook` and `page`",
    "rankers/trees/lightgbm_trees.py": "engines have one interface, that of `rankers/trees/engine.py`",
    "rankers/trees/native_trees.py": "the same",
    "rankers/trees/xgboost_trees.py": "the same",
}
# Other functions of one name.
SHARED_DEFINITIONS = {
    "register": "a decorator for measures and one for objectives, each beside its registry",
}

HEAVY = (
    "lightgbm", "xgboost", "torch", "numba", "altair", "jinja2", "scipy", "polars", "numpy", "pandas", "sklearn",
    "duckdb", "pyarrow", "fsspec", "dask", "distributed", "ray", "pyspark",
)  # fmt: skip
HOMES = {
    "numba": "kernels",
    "lightgbm": "rankers",
    "xgboost": "rankers",
    "torch": "rankers",
    "altair": "report",
    "jinja2": "report",
    "duckdb": "data",
    "fsspec": "data",
    "pyarrow": "data",
    "dask": "cluster",
    "distributed": "cluster",
    "ray": "cluster",
    "pyspark": "cluster",
}


def modules():
    """All but the two that name things of every layer: for users, and for type checkers."""
    apart = (SOURCE / "__init__.py", SOURCE / "typing.py")
    return [path for path in sorted(SOURCE.rglob("*.py")) if path not in apart]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imports_of(path: Path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide layers"
            yield node.module
            if node.module == "riskrank":
                yield from (f"riskrank.{alias.name}" for alias in node.names)


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_a_module_imports_only_its_own_and_lower_layers():
    wrong = []
    for path in modules():
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] != "riskrank" or len(parts) == 1 or parts[1] == "__version__":
                continue
            if LAYERS.index(parts[1]) > LAYERS.index(layer_of(path)):
                wrong.append(f"{path.relative_to(SOURCE)} must not import {name}")
    assert wrong == []


def test_each_heavy_library_has_one_home():
    wrong = []
    for path in modules():
        for name in imports_of(path):
            home = HOMES.get(name.split(".")[0])
            if home not in (None, layer_of(path)):
                wrong.append(f"{path.relative_to(SOURCE)} imports {name}, which belongs in {home}/")
    assert wrong == []


def test_every_layer_is_known():
    present = {layer_of(path) for path in modules()} | {"typing"}
    assert present == set(LAYERS) - TO_COME


def test_no_modules_import_each_other():
    assert cycles(import_graph()) == set()


def test_cycles_are_seen_however_long_they_are():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}, "g": set()}
    assert cycles(graph) == {frozenset("abc"), frozenset("de")}


def test_imports_within_functions_count_but_not_those_for_type_checkers():
    code = """
if TYPE_CHECKING:
    import riskrank.one
import riskrank.two.three
def function():
    from riskrank.four import five
"""
    known = {f"riskrank.{name}" for name in ("one", "two", "two.three", "four", "four.five")}
    assert imported_when_run(ast.parse(code), known) == {"riskrank.two.three", "riskrank.four", "riskrank.four.five"}


def import_graph() -> dict[str, set[str]]:
    """The modules that each module imports, sooner or later."""
    named = {module_name(path): path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py"}
    return {name: imported_when_run(parsed(path), set(named)) - {name} for name, path in named.items()}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def imported_when_run(tree: ast.Module, known: set[str]) -> set[str]:
    """Of the known modules those that are imported, at the top or within functions, but not for type checkers alone."""
    names: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update({str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)})
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting.extend(node.orelse)
        else:
            waiting.extend(ast.iter_child_nodes(node))
    return names & known


def cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Groups of modules each of which imports all others of its group, if only through others."""
    reached = {name: reachable(graph, name) for name in graph}
    return {
        frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]
    }


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(graph[name])
    return seen


def test_a_folder_can_be_taken_in_at_a_glance():
    counts = Counter(str(path.parent.relative_to(SOURCE)) for path in SOURCE.rglob("*.py"))
    assert {folder for folder, count in counts.items() if count > MOST_MODULES} <= ONE_FILE_EACH


def test_a_module_name_stands_for_one_thing():
    paths = [path for path in SOURCE.rglob("*.py") if path.name != "__init__.py"]
    places = Counter(path.stem for path in paths if not is_named_after_another(path))
    assert [name for name, count in places.items() if count > 1] == []


def is_named_after_another(path: Path) -> bool:
    return any((SOURCE / folder) in path.parents for folder in NAMED_AFTER_ANOTHER)


def test_a_public_function_or_class_has_a_name_of_its_own():
    places: dict[str, set[str]] = {}
    for path in modules():
        if not any((SOURCE / part) in (path, *path.parents) for part in SAME_DEFINITIONS):
            for node in parsed(path).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, set()).add(module_name(path))
    shared = {name: sorted(where) for name, where in places.items() if len(where) > 1}
    assert {name: where for name, where in shared.items() if name not in SHARED_DEFINITIONS} == {}
    assert set(SHARED_DEFINITIONS) <= set(shared)


def test_typing_loads_nothing():
    loaded = loaded_by("import riskrank.typing")
    assert not loaded & set(HEAVY)


def loaded_by(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stderr.split()}


def test_importing_riskrank_loads_no_heavy_library():
    assert not loaded_by("import riskrank") & set(HEAVY)


def test_help_loads_no_heavy_library():
    code = """
import sys
sys.argv = ["riskrank", "--help"]
from riskrank.cli.main import main
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
"""
    assert not loaded_by(code) & set(HEAVY)


def test_evaluating_files_loads_neither_numba_nor_scipy(example):
    code = f"""
import sys
sys.argv = ["riskrank", "evaluate", "{example}/qrels.txt", "{example}/bm25.run", "{example}/neural.run"]
from riskrank.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert not loaded_by(code) & {"numba", "scipy", "pandas", "sklearn"}


def test_every_public_name_resolves():
    import riskrank

    assert all(getattr(riskrank, name) is not None for name in riskrank.__all__)
    assert {"assess", "evaluate", "LambdaMART", "risk"} <= set(riskrank.__all__) <= set(dir(riskrank))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = riskrank.nonsense
