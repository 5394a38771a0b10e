"""Whatever is wrong with what a gate is given: one line that names the file, exit status 2, and nothing is written."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

TOPICS = range(1, 31)
JUDGMENTS = "query,doc_id,rating\n" + "".join(f"q{t},d{j},{int(j == 0)}\n" for t in TOPICS for j in range(4))
COMMAND = ("gate", "judgments.csv", "new.csv", "--baseline", "old.csv")
OUTPUTS = ("--junit", "o.xml", "--sarif", "o.sarif", "--gitlab", "o.json", "--markdown", "o.md", "--html", "o.html")


def run_of(documents=(0, 1, 2), topics=TOPICS):
    lines = [f"q{t},d{j},{rank}\n" for t in topics for rank, j in enumerate(documents, start=1)]
    return "query,doc_id,rank\n" + "".join(lines)


def column(values):
    return "query,value\n" + "".join(f"q{t},{value}\n" for t, value in zip(TOPICS, values, strict=True))


FILES = {"judgments.csv": JUDGMENTS, "old.csv": run_of(), "new.csv": run_of((1, 0, 2))}

BUDGETS = [
    ("[limits]\nmax_hrt = 1\n", "budget.toml:2: unknown key 'max_hrt'"),
    ("[limits]\r\n\r\nmax_hrt = 1\r\n", "budget.toml:3: unknown key 'max_hrt'"),
    ("\ufeff[limits]\nmax_hrt = 1\n", "budget.toml:2: unknown key 'max_hrt'"),
    ("limits.max_hrt = 1\n", "budget.toml:1: unknown key 'max_hrt'"),
    ("limits = {max_hrt = 1}\n", "budget.toml:1: unknown key 'max_hrt'"),
    ("\n'a\\u202eb\\u001b[31m' = 1\n", "budget.toml:2: unknown key"),
    ("[limits]\nmax_hurt = 0.1\nmax_hurt = 0.2\n", "budget.toml:3: is not TOML: Cannot overwrite a value"),
    ("[limits]\nalpha = 1\n[limits]\n", "budget.toml:3: is not TOML: Cannot declare"),
    ("[limits]\nmax_hurt = true\n", "budget.toml:2: max_hurt must be a number from 0 to 1"),
    ("[limits]\nmax_hurt = 1.1\n", "budget.toml:2: max_hurt must be a number from 0 to 1"),
    (
        "[measure.'nDCG@10']\nmax_loss = 0.1\n[measure.ndcg_cut_10]\nmax_loss = 0.9\n",
        "budget.toml:3: ndcg_cut_10 is nDCG@10, which has limits already.",
    ),
    ("[limits]\nstrict = 1\n", "budget.toml:2: strict must be true or false"),
    ("[limits]\nno_significant_loss = false\n", "budget.toml:2: no_significant_loss = false sets no limit"),
    ("measures = ['nDGC@10']\n", "budget.toml:1: unknown measure 'nDGC@10'. Did you mean 'nDCG'?"),
    ("[[accepted]]\ntopic = 'q1'\nreason = 'x'\nuntil = 2020-01-01\n", "budget.toml:4: the accepted loss of 'q1'"),
    ("[[accepted]]\ntopic = 'q99'\nreason = 'x'\nuntil = 2100-01-01\n", "budget.toml:2: accepted: no topic 'q99'"),
    ("must_not_break = ['q99']\n", "budget.toml:1: must_not_break: no topic 'q99'"),
    ("segments = 's.csv'\n[segment.c]\nmax_hurt = 1\n", "budget.toml:2: segment 'c' has no topic"),
    ("weights = 'no.csv'\n", "budget.toml:1: no.csv: no such file."),
    ("", "budget.toml: is empty."),
    ("a = " + "[" * 5000, "budget.toml: is not TOML that can be read"),
    ("[limits]\n" + "".join(f"k{i} = 1\n" for i in range(20_000)), "budget.toml:2: unknown key 'k0'"),
]


@pytest.mark.parametrize(("budget", "message"), BUDGETS)
def test_wrong_budgets(riskrank, tmp_path, budget, message):
    write(tmp_path, {**FILES, "budget.toml": budget, "s.csv": column("ab" * 15)})
    refused(riskrank, tmp_path, message, "--budget", "budget.toml")


DATA = [
    ({"new.csv": run_of((0, 1, 1))}, "new.csv:4: document 'd1' stands twice for topic 'q1'"),
    ({"judgments.csv": f"{JUDGMENTS}q1,d0,1\n"}, "judgments.csv:122: document 'd0' stands twice for topic 'q1'"),
    ({"judgments.csv": "query,doc_id,rating\n"}, "judgments.csv:1: has no line below the names of its columns."),
    ({"judgments.csv": JUDGMENTS.replace(",1\n", ",0\n")}, "both systems score 0 on every topic"),
    ({"old.csv": run_of(topics=range(1, 26))}, "old.csv: baseline 'old' lacks 5 of 30 topics (first: 'q26')"),
    ({"new.csv": "query,doc_id,score\nq1,d0,nan\n"}, "new.csv:2: score must be a finite number, got 'nan'"),
    ({"new.csv": "query,doc_id,rank\nq1,d0,first\n"}, "new.csv:2: rank must be a finite number, got 'first'"),
    ({"new.csv": "query,doc_id,rank\nq1,d0\n"}, "new.csv:2: rank must be a finite number, got ''"),
    ({"new.csv": "query,doc_id,rank\nz,d0,1\n"}, "run 'new' and the qrels have no topic in common"),
    ({"new.csv": "term,sku,position\nq1,d0,1\n"}, "new.csv:1: needs columns for queries and documents, got"),
    ({"new.csv": "query,doc_id,place\nq1,d0,1\n"}, "new.csv:1: needs a column for ranks or scores, got"),
    ({"new.csv": "query,doc_id,rank\n"}, "new.csv:1: has no line below the names of its columns."),
    ({"new.csv": ""}, "new.csv: is empty."),
    ({"new.csv": "\0\1\2"}, "new.csv: is a binary file, text is needed."),
]


@pytest.mark.parametrize(("files", "message"), DATA)
def test_wrong_data(riskrank, tmp_path, files, message):
    write(tmp_path, {**FILES, **files})
    refused(riskrank, tmp_path, message)


TABLES = [
    ("--weights", column([-1] * 30), "t.csv:2: topic 'q1' needs a number from 0, got '-1'"),
    ("--weights", column(["nan"] * 30), "t.csv:2: topic 'q1' needs a number from 0, got 'nan'"),
    ("--weights", column([0] * 30), "t.csv: all 30 topics have the weight 0."),
    ("--weights", "query,value\nq1,1\n", "t.csv: 29 of 30 topics have no weight"),
    ("--weights", "query,value\nq1,1\nq1,2\n", "t.csv:3: topic 'q1' stands twice"),
    ("--segments", "query,value\nz,1\n", "t.csv: no topic has a segment"),
    ("--segments", "query,value\n", "t.csv:1: names no topic"),
    ("--segments", "query,a,b\nq1,1,2\n", "t.csv:1: has 2 columns beside 'query': name the one that is meant"),
    ("--must-not-break", "q1\nq99\n", "t.csv:2: no topic 'q99'"),
]


@pytest.mark.parametrize(("option", "table", "message"), TABLES)
def test_wrong_tables_of_topics(riskrank, tmp_path, option, table, message):
    write(tmp_path, {**FILES, "t.csv": table})
    refused(riskrank, tmp_path, message, option, "t.csv")


def write(folder, files):
    for name, content in files.items():
        (folder / name).write_bytes(content.encode())


def refused(riskrank, folder, message, *options):
    before = sorted(path.name for path in folder.iterdir())
    done = riskrank(*COMMAND, *OUTPUTS, "--history", "h.jsonl", *options)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"riskrank: {message}")
    assert done.err.strip().isprintable()
    assert sorted(path.name for path in folder.iterdir()) == before


PROGRAM = "from riskrank.cli.main import run; run()"


def test_jobs_at_once_each_have_their_line_in_a_history(tmp_path):
    write(tmp_path, FILES)
    labels = [f"job {n}" for n in range(4)]
    jobs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *COMMAND, "--history", "h.jsonl", "--label", label],
            cwd=tmp_path, stdout=subprocess.DEVNULL,
        )
        for label in labels
    ]  # fmt: skip
    assert {job.wait(timeout=120) for job in jobs} == {1}
    lines = [json.loads(line) for line in (tmp_path / "h.jsonl").read_text().splitlines()]
    assert sorted(line["label"] for line in lines) == labels
