"""What is shipped for CI: the GitHub Action, the GitLab template and the pre-commit hook, with their lines run here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
import yaml

from riskrank.cli.main import app

from ..documents import blocks

PROJECT = Path(__file__).parent.parent.parent
ACTION = yaml.safe_load((PROJECT / "action.yml").read_text())
TEMPLATE = yaml.safe_load((PROJECT / "ci" / "gitlab" / "riskrank-gate.yml").read_text())[".riskrank-gate"]
(HOOK,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
INSTALL, GATE = ACTION["runs"]["steps"]
QRELS = "".join(f"{t} 0 a 1\n" for t in range(1, 5))
OLD = "".join(f"{t} Q0 a 1 2.0 old\n" for t in range(1, 5))
NEW = OLD.replace("2 Q0 a", "2 Q0 b").replace("old", "new")


def options_of_gate():
    command = typer.main.get_command(app).commands["gate"]
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize(
    "text", [GATE["run"], " ".join(TEMPLATE["script"]), HOOK["entry"], ACTION["inputs"]["arguments"]["description"]]
)
def test_every_option_exists(text):
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert used <= options_of_gate()


def test_the_arguments_that_the_template_shows_exist():
    text = (PROJECT / "ci" / "gitlab" / "riskrank-gate.yml").read_text()
    (shown,) = re.findall(r"further options: (.*)", text)
    assert {word for word in shown.split() if word.startswith("--")} <= options_of_gate()


# The GitHub Action.


def workflow():
    """The one that the docs show."""
    (shown,) = [text for text in blocks(PROJECT / "docs" / "gate.md") if text[1].startswith("name: gate")]
    return yaml.safe_load(shown[1])


def test_the_workflow_of_the_docs_uses_what_the_action_has():
    steps = workflow()["jobs"]["gate"]["steps"]
    (gate,) = [step for step in steps if step.get("id") == "gate"]
    assert set(gate["with"]) <= set(ACTION["inputs"])
    assert {name for name, each in ACTION["inputs"].items() if each.get("required")} <= set(gate["with"])
    assert set(re.findall(r"(?<![\w-])--[a-z-]+", gate["with"]["arguments"])) <= options_of_gate()
    outputs = re.findall(r"steps\.gate\.outputs\.(\w+)", str(steps))
    assert outputs
    assert set(outputs) <= set(ACTION["outputs"])


def test_the_history_is_restored_before_the_gate_and_saved_after_it():
    steps = workflow()["jobs"]["gate"]["steps"]
    names = [step["uses"].partition("@")[0] for step in steps]
    restored, gated, saved = map(names.index, ("actions/cache/restore", "OWNER/riskrank", "actions/cache/save"))
    assert restored < gated < saved
    assert steps[restored]["with"]["path"] == steps[saved]["with"]["path"] == "history.jsonl"
    assert steps[saved]["with"]["key"].startswith(steps[restored]["with"]["restore-keys"])
    assert "--history history.jsonl" in steps[gated]["with"]["arguments"]


def test_the_action_has_all_that_github_asks_for():
    assert {"name", "description", "inputs", "outputs", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    assert all({"shell", "run"} <= set(step) for step in ACTION["runs"]["steps"])
    assert all("description" in each for each in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))


def test_no_input_is_written_into_a_script():
    assert not [step["run"] for step in ACTION["runs"]["steps"] if "${{" in step["run"]]
    used = {each for step in (INSTALL, GATE) for each in re.findall(r"inputs\.(\w+)", " ".join(step["env"].values()))}
    assert used == set(ACTION["inputs"])


@pytest.fixture
def runner(tmp_path):
    """A job whose riskrank is the one that is tested."""
    (tmp_path / "temp" / "riskrank" / "bin").mkdir(parents=True)
    command = tmp_path / "temp" / "riskrank" / "bin" / "riskrank"
    code = "from riskrank.cli.main import run; run()"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"\n')
    command.chmod(0o755)
    for name, content in {"judged.qrels": QRELS, "old.run": OLD, "the new.run": NEW}.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "budget.toml").write_text("[limits]\nmax_loss = 0.2\n")
    (tmp_path / ".git").mkdir()

    def run(script, shell, **variables):
        environment = {
            **os.environ,
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
            **variables,
        }
        (tmp_path / "script").write_text(script)
        return subprocess.run([*shell, "script"], cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run


BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")  # as GitHub calls it
INPUTS = {
    "JUDGMENTS": "judged.qrels",
    "CANDIDATE": "the new.run\n",
    "BASELINE": "old.run\n",
    "BUDGET": "",
    "ARGUMENTS": "",
}


def test_the_action_fails_as_the_gate_does_and_fills_in_the_summary(runner, tmp_path):
    done = runner(GATE["run"], BASH, **INPUTS | {"BUDGET": "budget.toml"})
    assert (done.returncode, done.stderr) == (1, "")
    assert "::error file=budget.toml,line=2,title=riskrank gate::largest loss" in done.stdout
    assert (tmp_path / "summary.md").read_text().startswith("### ❌ FAIL <b>the new</b> must not replace old")
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert set(outputs) == set(ACTION["outputs"])
    assert Path(outputs["markdown"]).read_text().startswith("### ❌ FAIL")
    assert json.loads(Path(outputs["sarif"]).read_text())["version"] == "2.1.0"


def test_the_action_passes_and_takes_several_baselines_and_arguments(runner, tmp_path):
    (tmp_path / "first.run").write_text(OLD.replace("old", "first"))
    inputs = INPUTS | {"BASELINE": "old.run\nfirst.run\n", "ARGUMENTS": "--max-loss 1\n--measure RR"}
    done = runner(GATE["run"], BASH, **inputs)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS  both comparisons pass")


def test_the_action_names_no_files_where_the_input_is_bad(runner, tmp_path):
    assert runner(GATE["run"], BASH, **INPUTS).returncode == 1
    before = (tmp_path / "output").read_text()
    assert runner(GATE["run"], BASH, **INPUTS | {"BUDGET": "none.toml"}).returncode == 2
    assert (tmp_path / "output").read_text() == before


def test_two_gates_of_a_job_have_files_of_their_own(runner, tmp_path):
    for _ in range(2):
        runner(GATE["run"], BASH, **INPUTS)
    lines = (tmp_path / "output").read_text().splitlines()
    assert len(set(lines)) == len(lines) == 2 * len(ACTION["outputs"])


def test_the_workflow_of_the_docs_asks_the_action_for_files_outside_the_workspace():
    said = str(workflow())
    assert "hashFiles" not in said, "it sees the workspace only"
    assert "steps.gate.outputs.sarif" in said


@pytest.mark.parametrize("name", INPUTS)
def test_what_is_given_to_the_action_is_not_run(runner, tmp_path, name):
    runner(GATE["run"], BASH, **INPUTS | {name: "$(touch gotcha) `touch gotcha`; touch gotcha"})
    assert not (tmp_path / "gotcha").exists()


@pytest.mark.parametrize("name", ["JUDGMENTS", "CANDIDATE", "BASELINE"])
def test_an_input_that_is_missing_is_bad_input(runner, name):
    done = runner(GATE["run"], BASH, **INPUTS | {name: ""})
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_the_action_installs_its_own_checkout(runner, tmp_path):
    (tmp_path / "python").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "python").chmod(0o755)
    installed = tmp_path / "temp" / "riskrank" / "bin" / "python"
    installed.write_text('#!/bin/sh\necho "$@"\n')
    installed.chmod(0o755)
    done = runner(INSTALL["run"], BASH, PYTHON=str(tmp_path / "python"), SOURCE=str(PROJECT))
    venv, pip = done.stdout.splitlines()
    assert (done.returncode, venv) == (0, f"-m venv {tmp_path}/temp/riskrank")
    assert pip.startswith("-m pip install ")
    assert pip.endswith(f"--constraint {PROJECT}/constraints.txt {PROJECT}")


# The GitLab template.


def test_the_template_reports_what_the_gate_writes(runner, tmp_path):
    variables = {**TEMPLATE["variables"], "RISKRANK_JUDGMENTS": "judged.qrels", "RISKRANK_CANDIDATE": "new.run"}
    variables |= {"RISKRANK_BASELINE": "old.run", "RISKRANK_BUDGET": "budget.toml"}
    (tmp_path / "new.run").write_text(NEW)
    done = runner("\n".join(TEMPLATE["script"]), ("sh", "-e"), **variables)
    assert (done.returncode, done.stderr) == (1, "")
    reports = TEMPLATE["artifacts"]["reports"]
    assert json.loads((tmp_path / reports["codequality"]).read_text())[0]["location"]["path"] == "budget.toml"
    assert ElementTree.parse(tmp_path / reports["junit"]).getroot().tag == "testsuites"
    assert all((tmp_path / path).exists() for path in TEMPLATE["artifacts"]["paths"])
    assert TEMPLATE["artifacts"]["when"] == "always"


def test_the_template_needs_no_budget(runner, tmp_path):
    variables = {**TEMPLATE["variables"], "RISKRANK_JUDGMENTS": "judged.qrels", "RISKRANK_CANDIDATE": "old.run"}
    variables |= {"RISKRANK_BASELINE": "old.run", "RISKRANK_ARGUMENTS": "--measure RR --strict"}
    done = runner("\n".join(TEMPLATE["script"]), ("sh", "-e"), **variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "gl-code-quality-report.json").read_text()) == []


# The pre-commit hook.


def test_the_hook_is_a_command_of_the_package():
    assert HOOK["language"] == "python"
    name, *rest = HOOK["entry"].split()
    assert f'{name} = "riskrank.cli.main:run"' in (PROJECT / "pyproject.toml").read_text()
    assert rest == ["gate"]
    assert HOOK["pass_filenames"] is False, "files are named in args"


@pytest.mark.parametrize(
    "name",
    [
        "a.run",
        "x/judged.qrels",
        "budget.toml",
        "scores.csv",
        "example/qrels.txt",
        "a.run.gz",
        "judgments.parquet",
        "a.tsv.gz",
    ],
)
def test_the_hook_runs_when_runs_judgments_or_budgets_change(name):
    assert re.search(HOOK["files"], name)
    assert not re.search(HOOK["files"], f"{name}.py")
