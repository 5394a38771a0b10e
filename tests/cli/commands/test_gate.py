from __future__ import annotations

import json
import os
from xml.etree import ElementTree

import pytest

QRELS = "".join(f"{t} 0 a 1\n" for t in range(1, 5))
OLD = "".join(f"{t} Q0 a 1 2.0 old\n" for t in range(1, 5))
# topics 2 and 3 lose: the relevant document stands at rank 2 and at rank 3
NEW = "1 Q0 a 1 2.0 n\n2 Q0 b 1 3 n\n2 Q0 a 2 2 n\n3 Q0 b 1 3 n\n3 Q0 c 1 2.5 n\n3 Q0 a 2 2 n\n4 Q0 a 1 2.0 n\n"


@pytest.fixture
def files(tmp_path):
    for name, content in {"q": QRELS, "old.run": OLD, "new.run": NEW}.items():
        (tmp_path / name).write_text(content)
    return ("gate", "q", "new.run", "--baseline", "old.run", "-m", "RR")


def test_within_budget_passes(riskrank, files):
    done = riskrank(*files, "--max-risk", 0.5, "--max-hurt", 0.5, "--max-loss", 0.9)
    assert done.status == 0
    assert "\n\nPASS  new may replace old: all 3 checks hold (RR, 4 topics)\n" in done.out
    assert "✓ mean loss     0.292    at most 0.5" in done.out


@pytest.mark.parametrize(
    ("options", "words", "topics"),
    [
        (["--max-risk", 0.1], "✗ mean loss  0.292  at most 0.1  2.9 times", ["3", "2"]),
        (["--max-hurt", 0.25], "✗ topics hurt  2 (50%)  at most 25%  unsure; 95% interval 15% to 85%", ["3", "2"]),
        (["--max-hurt", 0.2, "--tolerance", 0.6], "✗ hurt by over 0.6  1 (25%)  at most 20%  unsure", ["3"]),
        (["--max-severe", 0.2], "✗ hurt by over 0.3  2 (50%)  at most 20%  unsure", ["3", "2"]),
        (["--min-gain", 0], "✗ mean change  −0.292  at least 0", ["3", "2"]),
        (["--max-loss", 0.5], "✗ largest loss  0.667  at most 0.5  1 topic loses more", ["3"]),
        (["--min-urisk", -1, "--alpha", 5], "✗ URisk, α = 5  −1.750  at least −1", ["3", "2"]),
        (["--min-trisk", -1, "--alpha", 5], "✗ TRisk, α = 5  −1.698  at least −1", ["3", "2"]),
    ],
)
def test_a_broken_budget_fails_and_names_the_topics_worst_first(riskrank, files, options, words, topics):
    done = riskrank(*files, *options)
    assert done.status == 1
    assert done.out.startswith("Caution: 4 topics cannot show anything to be significant.\n")
    assert "\n\nFAIL  new must not replace old (RR, 4 topics)\n" in done.out
    assert words in done.out
    listed = [line.split()[0] for line in done.out.split("change\n")[1].split("\n\n")[0].splitlines()]
    assert listed == topics


def test_without_a_budget_the_default_limits_decide(riskrank, files, example):
    done = riskrank(*files)
    assert done.status == 1
    assert "✗ hurt by over 0.05  2 (50%)     at most 20%" in done.out
    assert "✓ significant loss   not tested" in done.out
    assert "No limit was given: these are the default ones (docs/gate.md)." in done.out
    calm = riskrank("gate", "example/qrels.txt", "example/hybrid.run", "-b", "example/bm25.run")
    assert calm.status == 0
    reverse = riskrank("gate", "example/qrels.txt", "example/bm25.run", "-b", "example/hybrid.run")
    assert reverse.status == 1
    assert "✗ significant loss   yes" in reverse.out


def test_a_run_against_itself_passes(riskrank, files):
    done = riskrank("gate", "q", "old.run", "-b", "old.run", "-m", "RR", "--strict")
    assert done.status == 0
    assert done.out.startswith("Caution: they are equal on every topic: are they the same run?\nCaution: 4 topics")
    assert "\n\nPASS  old may replace old" in done.out


def test_several_candidates_baselines_and_measures(riskrank, files):
    done = riskrank(
        "gate", "q", "new.run", "again=old.run", "-b", "old.run", "-m", "RR", "-m", "P@1", "--max-loss", 0.5
    )
    assert done.status == 1
    whole, *parts = [line for line in done.out.splitlines() if line.startswith(("PASS", "FAIL"))]
    assert whole == "FAIL  2 of 4 comparisons fail"
    assert [part.split()[0] for part in parts] == ["FAIL", "FAIL", "PASS", "PASS"]
    two = riskrank("gate", "q", "new.run", "-b", "old.run", "--against", "other=old.run", "-m", "RR", "--max-loss", 0.5)
    assert two.out.startswith("FAIL  2 of 2 comparisons fail\n")


def test_every_format_is_written_and_github_told(riskrank, files, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    names = {
        "--junit": "gate.xml",
        "--sarif": "gate.sarif",
        "--gitlab": "gate.json",
        "--markdown": "gate.md",
        "--html": "gate.html",
    }
    done = riskrank(*files, "--max-loss", 0.5, "--github", *(part for pair in names.items() for part in pair))
    assert done.status == 1
    assert "::error" in done.out
    assert "topic 3: RR 1.0000 → 0.3333 (-0.6667)" in done.out
    assert ElementTree.parse(tmp_path / "gate.xml").getroot().tag in ("testsuites", "testsuite")
    assert json.loads((tmp_path / "gate.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((tmp_path / "gate.json").read_text())[0]["location"]["lines"]["begin"] >= 1
    assert (tmp_path / "summary.md").read_text().strip() == (tmp_path / "gate.md").read_text().strip()
    content = json.loads(riskrank(*files, "--max-loss", 0.5, "--json").out)
    assert content["passed"] is False
    assert [t["topic"] for t in content["comparisons"][0]["broken_topics"]] == ["3"]
    assert "::notice" in riskrank(*files, "--max-loss", 0.9, "--github").out


def test_a_budget_file_from_the_present_state(riskrank, files, tmp_path):
    done = riskrank(*files, "--init", "budget.toml")
    assert (done.status, "--budget budget.toml" in done.out) == (0, True)
    assert riskrank(*files, "--budget", "budget.toml").status == 0
    assert riskrank(*files, "--budget", "budget.toml", "--max-loss", 0.1).status == 1
    again = riskrank(*files, "--init", "budget.toml")
    assert (again.status, again.err.startswith("riskrank: budget.toml: exists.")) == (2, True)
    assert riskrank(*files, "--init", "budget.toml", "--force").status == 0
    (tmp_path / "budget.toml").write_text("[limits]\nmax_hrt = 0.1\n")
    wrong = riskrank(*files, "--budget", "budget.toml")
    assert (wrong.status, wrong.out) == (2, "")
    assert wrong.err == "riskrank: budget.toml:2: unknown key 'max_hrt'. Did you mean 'max_hurt'?\n"


def test_a_history_is_an_output_like_others(riskrank, files, tmp_path):
    before = (tmp_path / "old.run").read_text()
    done = riskrank(*files, "--max-loss", 0.9, "--history", "old.run")
    assert (done.status, done.out) == (2, "")
    assert (tmp_path / "old.run").read_text() == before
    done = riskrank(*files, "--max-loss", 0.9, "--history", "no/folder.jsonl", "--junit", "gate.xml")
    assert (done.status, done.out, (tmp_path / "gate.xml").exists()) == (2, "", False)


def test_the_summary_is_an_output_like_others(riskrank, files, tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    for summary, message in (
        ("q", "would be overwritten"),
        ("no/summary.md", "no such folder"),
        ("folder", "directory"),
    ):
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / summary))
        done = riskrank(*files, "--github", "--junit", "gate.xml", "--history", "history.jsonl")
        assert (done.status, done.out.count("\n"), done.err.count("\n")) == (2, 1, 1)
        assert message in done.err
        assert done.out.startswith("::error ")
        assert (tmp_path / "q").read_text() == QRELS
        assert not (tmp_path / "gate.xml").exists()
        assert not (tmp_path / "history.jsonl").exists()
        assert riskrank(*files, "--max-loss", 0.9).status == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_summary_on_a_full_device_leaves_neither_files_nor_a_line_in_the_history(
    riskrank, files, tmp_path, monkeypatch
):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/dev/full")
    before = sorted(tmp_path.iterdir())
    done = riskrank(*files, "--github", "--junit", "gate.xml", "--html", "gate.html", "--history", "history.jsonl")
    assert (done.status, done.err) == (2, "riskrank: /dev/full: cannot be written (No space left on device).\n")
    assert sorted(tmp_path.iterdir()) == before


def test_a_history_that_is_none_is_refused_before_anything_is_written(riskrank, files, tmp_path):
    (tmp_path / "notes.txt").write_text("notes\n")
    done = riskrank(*files, "--history", "notes.txt", "--junit", "gate.xml")
    assert (done.status, done.out) == (2, "")
    assert done.err == "riskrank: notes.txt:1: is not a gate's history. Name another file.\n"
    assert not (tmp_path / "gate.xml").exists()


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--segments", "topic,segment\n", "t.csv:1: names no topic. Add a line for each.\n"),
        ("--segments", "topic,segment\n1,a\n1,b\n", "t.csv:3: topic '1' stands twice. Keep one of its lines.\n"),
        ("--weights", "topic,n\n1,2\n2,-1\n", "t.csv:3: topic '2' needs a number from 0, got '-1'.\n"),
        ("--weights", "topic,n\n1,2\n", "t.csv: 3 of 4 topics have no weight: 2, 3, 4. Give them one, 0 for none.\n"),
        ("--must-not-break", "# heads\n1\nx\n", "t.csv:3: no topic 'x'.\n"),
    ],
)
def test_what_is_wrong_with_a_file_of_topics_names_its_line(riskrank, files, tmp_path, option, text, message):
    (tmp_path / "t.csv").write_text(text)
    done = riskrank(*files, "--max-loss", 0.9, option, "t.csv", "--junit", "gate.xml")
    assert (done.status, done.out, done.err) == (2, "", f"riskrank: {message}")
    assert not (tmp_path / "gate.xml").exists()


def test_topics_without_relevant_documents_can_be_dropped(riskrank, files, tmp_path):
    (tmp_path / "q").write_text(QRELS.replace("4 0 a 1", "4 0 a 0"))
    assert "3 topics" in riskrank(*files, "--max-loss", 0.9, "--without-relevant", "drop").out
    assert "4 topics" in riskrank(*files, "--max-loss", 0.9).out


def test_tables_that_are_read_are_not_overwritten(riskrank, files, tmp_path):
    table = "topic,device,views\n1,a,1\n2,b,1\n3,b,1\n4,a,1\n"
    (tmp_path / "q.csv").write_text(table)
    (tmp_path / "budget.toml").write_text('segments = "q.csv:device"\n[limits]\nmax_loss = 0.9\n')
    (tmp_path / "heads.toml").write_text('must_not_break = "q.csv"\n')
    reading = [["--segments", "q.csv:device"], ["--weights", "q.csv:views"], ["--budget", "budget.toml"]]
    for options in (*reading, ["--budget", "heads.toml"], ["--must-not-break", "q.csv"]):
        done = riskrank(*files, *options, "--junit", "q.csv")
        assert (done.status, "would be overwritten" in done.err) == (2, True)
        assert (tmp_path / "q.csv").read_text() == table


def test_github_is_told_of_bad_input_at_its_line(riskrank, files, tmp_path):
    (tmp_path / "50%,x.toml").write_text("[limits]\nmax_loss = 0.5\nmax_hrut = 0.1\n")
    done = riskrank(*files, "--budget", "50%,x.toml", "--github")
    assert done.status == 2
    assert done.err.startswith("riskrank: 50%,x.toml:3: ")
    assert done.out.startswith("::error file=50%25%2Cx.toml,line=3,title=riskrank gate::50%25,x.toml:3: ")
    assert len(done.err.splitlines()) == len(done.out.splitlines()) == 1
    alone = riskrank(*files, "--budget", "50%,x.toml", "--github", "--json")
    assert (alone.status, alone.out, alone.err.splitlines()) == (2, "", [done.out.strip(), done.err.strip()])
    assert riskrank(*files, "--budget", "50%,x.toml").out == ""
    label = riskrank(*files, "--max-loss", 50, "--github")
    assert label.out == "::error title=riskrank gate::--max-loss = 50 checks nothing: RR is from 0 to 1.\n"


@pytest.mark.parametrize("option", [["--max-risk", 0.01], ["--json"], ["--github"], ["--show", 3], ["--sarif", "x"]])
def test_init_takes_no_limits_and_no_formats(riskrank, files, tmp_path, option):
    done = riskrank(*files, "--init", "budget.toml", *option)
    assert (done.status, done.err) == (2, f"riskrank: --init takes no {option[0]}: write the file, then edit it.\n")
    assert not (tmp_path / "budget.toml").exists()


def test_segments_weights_and_topics_that_must_not_break(riskrank, files, tmp_path):
    (tmp_path / "segments.csv").write_text("topic,device\n1,a\n2,b\n3,b\n4,a\n")
    (tmp_path / "weights.csv").write_text("topic,weight\n1,97\n2,1\n3,1\n4,1\n")
    (tmp_path / "heads.txt").write_text("3\n")
    done = riskrank(*files, "--max-hurt", 0.9, "--segments", "segments.csv")
    assert "– (small segments)  4 topics of a, b  too few to check" in done.out
    assert riskrank(*files, "--max-hurt", 0.1).status == 1
    assert riskrank(*files, "--max-hurt", 0.1, "--weights", "weights.csv").status == 0
    broken = riskrank(*files, "--max-hurt", 0.9, "--must-not-break", "heads.txt")
    assert broken.status == 1
    assert "✗ protected topics hurt  1        none allowed  3" in broken.out


def test_a_history_and_its_trend(riskrank, files, tmp_path):
    for label in ("v1", "v2"):
        riskrank(*files, "--max-loss", 0.9, "--history", "history.jsonl", "--label", label)
    done = riskrank("gate", "--trend", "history.jsonl", "--html", "trend.html")
    assert done.status == 0
    assert "v1" in done.out
    assert "v2" in (tmp_path / "trend.html").read_text()
    missing = riskrank("gate", "--trend", "nothing.jsonl")
    assert (missing.status, "no such file" in missing.err) == (2, True)


def test_the_schema_of_budget_files(riskrank):
    assert "max_hurt" in json.loads(riskrank("gate", "--schema").out)["properties"]["limits"]["properties"]


@pytest.mark.parametrize(
    "options", [["--schema", "--json"], ["--trend", "x", "--max-hurt", 0.1], ["--schema", "--trend", "x"]]
)
def test_a_trend_and_a_schema_stand_alone(riskrank, options):
    done = riskrank("gate", *options)
    assert (done.status, done.out) == (2, "")
    assert done.err == "riskrank: --trend (but for --html) and --schema stand alone: leave the rest out.\n"


def test_what_is_missing_is_said(riskrank, files):
    for arguments in (["gate"], ["gate", "q"], ["gate", "q", "new.run"]):
        done = riskrank(*arguments)
        assert done.status == 2
        assert done.err == "riskrank: a gate needs QRELS, a CANDIDATE and --baseline.\n"


@pytest.mark.parametrize(("limit", "status", "verdict"), [(0.9, 0, "PASS"), (0.5, 1, "FAIL")])
def test_the_page_is_written_whether_it_passes_or_not(riskrank, files, tmp_path, limit, status, verdict):
    done = riskrank(*files, "--max-loss", limit, "--html", "gate.html", "--junit", "gate.xml")
    assert done.status == status
    page = (tmp_path / "gate.html").read_text()
    assert f"<title>{verdict}: new against old</title>" in page
    assert f"<span>exit code {status}</span>" in page
    assert page.count('class="document"') == 4  # both rankings of the worst topic, of one document and of three
    assert (tmp_path / "gate.xml").exists()
    without = riskrank(*files, "--max-loss", limit)
    assert (without.status, without.out) == (
        status,
        f"{done.out}--html FILE  both rankings of every topic, side by side\n",
    )


def test_a_page_of_a_matrix_and_outputs_of_one_name(riskrank, files, tmp_path):
    (tmp_path / "m.csv").write_text("topic,old,new\n1,0.5,0.6\n2,0.4,0.1\n3,0.3,0.9\n")
    matrix = ("gate", "m.csv", "new", "-b", "old", "--max-loss", 0.9)
    assert riskrank(*matrix).out.endswith("--html FILE  every check and every topic\n")
    assert riskrank(*matrix, "--html", "page.html").status == 0
    assert "Only scores were given." in (tmp_path / "page.html").read_text()
    twice = riskrank(*files, "--html", "same", "--junit", "same")
    assert (twice.status, "named twice" in twice.err) == (2, True)


def test_show_limits_the_list(riskrank, files):
    one = riskrank(*files, "--max-risk", 0, "--show", 1)
    assert "and 1 more" in one.out
    assert "and 1 more" not in riskrank(*files, "--max-risk", 0, "--show", "all").out
    assert "\n\n2 topics broke a limit (--show all)\n\n" in riskrank(*files, "--max-risk", 0, "--show", 0).out


def test_a_first_screen_has_five_topics_and_annotations_as_many_as_github_shows(riskrank, example):
    done = riskrank(
        "gate", "example/qrels.txt", "example/neural.run", "-b", "example/bm25.run", "--max-risk", 0, "--github"
    )
    assert "… and 9 more (--show all)\n" in done.out
    assert done.out.count("::error") == 10


def test_a_matrix_names_the_systems(riskrank, tmp_path):
    (tmp_path / "m.csv").write_text("topic,old,new\n1,0.5,0.6\n2,0.4,0.1\n3,0.3,0.9\n")
    assert riskrank("gate", "m.csv", "new", "-b", "old", "--max-loss", 0.2).status == 1
    done = riskrank("gate", "m.csv", "nwe", "-b", "old")
    assert done.status == 2
    assert "no system 'nwe'. There are: old, new. Did you mean 'new'" in done.err


@pytest.mark.parametrize(
    "options",
    [
        ["--max-risk", "-1"],
        ["--max-hurt", "7"],
        ["--max-risk", "nan"],
        ["--show", "x"],
        ["--show", "²"],
        ["-m", "nonsense"],
        ["--baseline", "no.run"],
    ],
)
def test_bad_input_is_status_2_and_writes_nothing(riskrank, files, tmp_path, options):
    done = riskrank(*files, *options, "--junit", "gate.xml", "--html", "gate.html")
    assert done.status == 2
    assert (done.out, done.err.count("\n")) == ("", 1)
    assert not (tmp_path / "gate.xml").exists()
    assert not (tmp_path / "gate.html").exists()


def test_workflow_commands_cannot_be_smuggled_in(riskrank, tmp_path):
    (tmp_path / "m.csv").write_text('topic,old,new\n"x\n::error::hacked",0.5,0.1\n2,0.4,0.4\n')
    done = riskrank("gate", "m.csv", "new", "-b", "old", "--max-loss", 0.2, "--github")
    assert done.status == 1
    assert not any(line.startswith("::error::hacked") for line in done.out.splitlines())


def test_a_baseline_that_lacks_topics_is_refused_unless_told_otherwise(riskrank, files, tmp_path):
    (tmp_path / "old.run").write_text(OLD.splitlines()[0] + "\n")
    done = riskrank(*files, "--max-risk", 0.5)
    assert done.status == 2
    assert "baseline 'old' lacks 3 of 4 topics (first: '2')" in done.err
    told = riskrank(*files, "--max-risk", 0.5, "--missing", "intersect")
    assert told.status == 0
    assert "Caution: 3 topics were dropped" in told.out


def test_oddities_of_the_data_are_noted_everywhere(riskrank, files, tmp_path):
    (tmp_path / "q").write_text(QRELS + "9 0 a 0\n")
    (tmp_path / "old.run").write_text(OLD + "9 Q0 a 1 1 old\n")
    done = riskrank(*files, "--max-risk", 0.5, "--github", "--junit", "gate.xml")
    assert done.status == 1
    assert "✗ topics without results  1      none allowed  9" in done.out
    assert "Caution: 1 of 5 topics has no relevant document" in done.out
    assert "::warning title=riskrank gate::missing topics score 0, of 5: new 1." in done.out
    assert "missing topics score 0, of 5: new 1." in (tmp_path / "gate.xml").read_text()


def test_nothing_to_compare_is_bad_input(riskrank, files, tmp_path):
    (tmp_path / "q").write_text(QRELS.replace(" a ", " other "))
    done = riskrank(*files)
    assert done.status == 2
    assert "both systems score 0 on every topic" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tolerance", 0.1], "riskrank: --tolerance needs --max-hurt.\n"),
        (["--max-loss", 0.9, "--alpha", 5], "--alpha has no effect on these limits"),
    ],
)
def test_options_without_effect_are_refused(riskrank, files, options, message):
    done = riskrank(*files, *options)
    assert done.status == 2
    assert message in done.err


def test_json_stays_alone_on_stdout(riskrank, files):
    done = riskrank(*files, "--max-loss", 0.5, "--json", "--github")
    assert json.loads(done.out)["passed"] is False
    assert done.err.startswith("::error")


def test_control_characters_in_names_stay_visible(riskrank, tmp_path):
    (tmp_path / "m.csv").write_text('topic,"\x1b[31mred",new\n1,0.5,0.1\n2,0.4,0.4\n')
    done = riskrank("gate", "m.csv", "new", "-b", "\x1b[31mred", "--max-loss", 0.2)
    assert done.status == 1
    assert "\x1b" not in done.out
