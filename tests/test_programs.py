"""Programs of our own: what they find, and that nothing of them is left."""

from __future__ import annotations

import os
import select
import sys

from riskrank import programs

TIME = 30.0  # seconds until something has gone wrong


def test_a_program_imports_what_this_process_does_and_nothing_from_the_folder_that_it_is_in(tmp_path, monkeypatch):
    for folder in ("own", "here"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}_program.py").write_text(f"print({folder!r})")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "own"), *filter(None, sys.path)])
    said = {module: programs.started(module).communicate()[0] for module in ("own_program", "here_program")}
    assert said == {"own_program": "own\n", "here_program": ""}


def test_settings_are_for_an_environment_that_does_not_have_them(tmp_path, monkeypatch):
    (tmp_path / "setting.py").write_text("import os; print(os.environ['RISKRANK_A'], os.environ['RISKRANK_B'])")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("RISKRANK_B", "mine")
    assert programs.started("setting", RISKRANK_A="given", RISKRANK_B="given").communicate()[0] == "given mine\n"


def test_what_a_program_started_ends_with_it(tmp_path, monkeypatch):
    (tmp_path / "parent.py").write_text("import subprocess; subprocess.Popen(['sleep', '60']); print(1, flush=True)")
    monkeypatch.syspath_prepend(tmp_path)
    program = programs.started("parent")
    assert program.stdout.readline() == "1\n"
    programs.end(program)
    assert select.select([program.stdout], [], [], TIME)[0]  # nobody holds the other end
    assert program.communicate() == ("", "")
    programs.end(program)  # of which nothing is left
    assert not os.path.exists(f"/proc/{program.pid}")
