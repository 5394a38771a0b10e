"""The import graph: lower layers never import upper ones, and starting is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "riskrank"

# From the bottom up; a layer may import itself and what stands before it.
LAYERS = (
    "typing",
    "errors",
    "registry",
    "cores",
    "parameters",
    "progress",
    "kernels",
    "data",
    "rendered",
    "clicks",
    "measures",
    "risk",
    "assessment",
    "objectives",
    "rankers",
    "tradeoff",
    "cluster",
    "export",
    "monitor",
    "report",
    "papers",
    "cli",
)
HEAVY = ("lightgbm", "xgboost", "torch", "numba", "altair", "jinja2", "scipy", "polars", "numpy", "pandas", "sklearn")
HOMES = {
    "numba": "kernels",
    "lightgbm": "rankers",
    "xgboost": "rankers",
    "torch": "rankers",
    "altair": "report",
    "jinja2": "report",
}


def modules():
    """All but the two that name things of every layer: for users, and for type checkers."""
    apart = (SOURCE / "__init__.py", SOURCE / "typing.py")
    return [path for path in sorted(SOURCE.rglob("*.py")) if path not in apart]


def imports_of(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide layers"
            yield node.module
            if node.module == "riskrank":
                yield from (f"riskrank.{alias.name}" for alias in node.names)


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_module_imports_only_its_own_and_lower_layers(path):
    own = LAYERS.index(layer_of(path))
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "riskrank" or len(parts) == 1 or parts[1] == "__version__":
            continue
        assert LAYERS.index(parts[1]) <= own, f"{layer_of(path)} must not import {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_each_heavy_library_has_one_home(path):
    for name in imports_of(path):
        home = HOMES.get(name.split(".")[0])
        assert home is None or home == layer_of(path), f"{name} belongs in {home}/"


def test_every_folder_is_a_known_layer():
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(LAYERS)


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
