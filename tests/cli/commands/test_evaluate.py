from __future__ import annotations

import csv
import gzip
import io
import json
import re

import numpy as np
import polars as pl
import pytest

import riskrank as rr
from riskrank.cli.table_options import TableOptions

EXAMPLE = ("evaluate", "example/qrels.txt", "example/bm25.run", "example/neural.run")


def test_the_first_screen_says_what_was_found(riskrank, example):
    done = riskrank(*EXAMPLE, "-b", "bm25", "-a", 0, "-a", 5)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("neural gains +0.154 nDCG@10 over bm25 (95% interval ")
    assert "nDCG@10 (gains = grade), 1 system against bm25 (0.468), 50 topics\n" in done.out
    assert done.out.endswith("--tables  all numbers    --per-topic  every topic    --html FILE  the report\n")
    assert "\x1b" not in done.out


def test_alphas_are_given_one_by_one_or_with_commas(riskrank, example):
    screen = riskrank(*EXAMPLE, "-a", "0,1", "-a", 5).out
    assert screen == riskrank(*EXAMPLE, "-a", 0, "-a", 1, "-a", 5).out
    assert "α=0 1 5" in screen


def test_all_numbers_are_in_tables_if_asked_for(riskrank, example):
    done = riskrank(*EXAMPLE, "-a", "0,5", "--tables")
    titles = ("nDCG@10", "gain", "risk", "reward", "W/L/T", ">20%", "URisk", "TRisk", "p Holm", "ZRisk", "GeoRisk")
    assert [title for title in titles if title not in done.out] == []
    assert "gains = grade" in done.out
    assert "neural gains" in done.out


def test_systems_and_columns_are_those_asked_for(riskrank, tmp_path):
    rng = np.random.default_rng(3)
    old = rng.uniform(0.3, 0.6, 30)
    rows = {"old": old, **{f"s{i}": old + rng.normal(0.02, 0.1, 30) for i in range(14)}}
    (tmp_path / "m.csv").write_text(
        "\n".join(
            [
                ",".join(rows),
                *(",".join(f"{score:.4f}" for score in topic) for topic in zip(*rows.values(), strict=True)),
            ]
        )
    )
    cut, every = (riskrank("evaluate", "m.csv", *options).out for options in ([], ["--all"]))
    assert "--all  every system" in cut
    assert "--all" not in every
    assert all(f"\n{name} " in every for name in rows)
    chosen = riskrank("evaluate", "m.csv", "--all", "--sort", "cvar", "--columns", "cvar, large").out
    table = next(part for part in chosen.split("\n\n") if part.startswith("system"))
    assert table.splitlines()[0].split() == ["system", "CVaR", ">20%"]
    values = [float(line.split()[1]) for line in table.splitlines()[1:]]
    assert values == sorted(values)


def test_a_file_is_never_in_colour(riskrank, example, tmp_path, monkeypatch):
    monkeypatch.setattr("riskrank.cli.output.is_coloured", lambda path=None: path is None)
    monkeypatch.setattr("riskrank.cli.commands.evaluate.is_coloured", lambda path=None: path is None)
    assert "\x1b[1mneural" in riskrank(*EXAMPLE).out
    riskrank(*EXAMPLE, "-o", "screen.txt")
    assert "\x1b" not in (tmp_path / "screen.txt").read_text()


def test_json_csv_latex_and_html(riskrank, example, tmp_path):
    base = (
        "evaluate",
        "example/qrels.txt",
        "example/bm25.run",
        "example/neural.run",
        "-m",
        "AP",
        "-m",
        "nDCG@10",
    )
    as_json = riskrank(*base, "--json")
    (tmp_path / "r.json").write_text(as_json.out)
    assessments = rr.read_assessments(tmp_path / "r.json")
    assert list(assessments) == ["AP", "nDCG@10"]
    scores = rr.evaluate(example / "qrels.txt", {n: example / f"{n}.run" for n in ("bm25", "neural")}, "AP")
    assert assessments["AP"] == rr.assess(scores, baseline="bm25")
    rows = list(csv.DictReader(io.StringIO(riskrank(*base, "--csv").out)))
    assert [(r["measure"], r["system"]) for r in rows] == [
        ("AP", "bm25"), ("AP", "neural"), ("nDCG@10", "bm25"), ("nDCG@10", "neural"),
    ]  # fmt: skip
    topics = list(csv.DictReader(io.StringIO(riskrank(*base, "--csv", "--per-topic").out)))
    assert len(topics) == 2 * 50 * 4
    assert riskrank(*base, "--latex").out.count(r"\begin{tabular}") == 2
    done = riskrank(*base, "--html", "page.html", "-o", "table.txt")
    assert (done.status, done.out) == (0, "")
    page = (tmp_path / "page.html").read_text()
    assert '<table class="systems">' in page
    assert "<span>qrels.txt</span></span>" in page  # the bar's last words
    assert "neural" in (tmp_path / "table.txt").read_text()


def test_per_topic_lists_the_worst_first(riskrank, example):
    done = riskrank("evaluate", "example/qrels.txt", "example/bm25.run", "example/neural.run", "-a", 5, "--per-topic")
    listing = done.out.split("worst topics first\n\n")[1].split("\n\n")[0]
    changes = [float(line.split()[3].replace("−", "-")) for line in listing.strip().splitlines()[1:]]
    assert len(changes) == 50
    assert changes == sorted(changes)


def test_a_matrix_of_scores(riskrank, tmp_path):
    (tmp_path / "m.csv").write_text("topic,old,new\n1,0.5,0.6\n2,0.4,0.1\n3,0.3,0.9\n")
    done = riskrank("evaluate", "m.csv", "--baseline", "old", "-m", "AP", "--json")
    assert json.loads(done.out)["assessments"][0]["measure"] == "AP"
    assert riskrank("evaluate", "m.csv", "--baseline", "median").status == 0


def test_a_letor_file_with_score_files_and_features(riskrank, tmp_path):
    lines = ["2 qid:1 1:0.1 2:5", "0 qid:1 1:0.9 2:1", "1 qid:2 1:0.5 2:1", "0 qid:2 1:0.4 2:3"]
    (tmp_path / "test.txt").write_text("\n".join(lines))
    (tmp_path / "model.scores").write_text("0.3\n0.2\n0.9\n0.1\n")
    done = riskrank(
        "evaluate",
        "test.txt",
        "feature:1",
        "model.scores",
        "-b",
        "feature:1",
        "-m",
        "RR",
        "--churn",
        "--json",
    )
    content = json.loads(done.out)["assessments"][0]
    assert content["scores"] == {"feature:1": [0.5, 1.0], "model": [1.0, 1.0]}
    assert content["systems"][1]["kendall_tau"] == 0
    assert content["systems"][1]["reranked"] == 0.5
    table = riskrank("evaluate", "test.txt", "feature:1", "model.scores", "--churn", "--tables").out
    assert "gains 2^grade − 1" in table
    assert "re-ranked" in table


def test_real_letor_data(riskrank, shared_data):
    done = riskrank("evaluate", shared_data / "mq2008" / "S1.txt", "feature:37", "feature:21", "-b", "feature:37")
    assert done.status == 0
    assert re.search(r"\d+ of \d+ queries have no relevant document", done.out)


def test_baselines_by_file_and_several_at_once(riskrank, example):
    by_file = riskrank("evaluate", "example/qrels.txt", "example/neural.run", "--baseline", "example/bm25.run")
    assert "\nnDCG@10 (gains = grade), 1 system against bm25 (0.468), 50 topics\n" in by_file.out
    runs = [f"example/{name}.run" for name in ("neural", "bm25", "hybrid")]
    several = riskrank("evaluate", "example/qrels.txt", *runs, "-b", "bm25", "-b", "hybrid", "--combine", "max")
    assert "\nnDCG@10 (gains = grade), 3 systems against max of bm25, hybrid (" in several.out


def test_a_system_called_mean_is_not_taken_for_the_mean_or_the_other_way_round(riskrank, example):
    (example / "bm25.run").rename(example / "mean.run")
    evaluate = ("evaluate", "example/qrels.txt", "example/mean.run", "example/neural.run")
    done = riskrank(*evaluate, "-b", "mean", "--html", "page.html")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "riskrank: baseline 'mean' could be the system of that name or the mean of all systems. Give the system "
        "another name; or take it by its file (in Python: ['mean']).\n"
    )
    for system in ([], ["-b", "example/mean.run"]):
        assert ", 1 system against mean (0.468), " in riskrank(*evaluate, *system).out
    renamed = ("evaluate", "example/qrels.txt", "old=example/mean.run", "example/neural.run")
    assert ", 2 systems against mean of 2 systems (" in riskrank(*renamed, "-b", "mean").out
    assert ", 1 system against old (0.468), " in riskrank(*renamed, "-b", "old").out


def test_names_can_be_given_and_folders_tell_equal_names_apart(riskrank, example, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "bm25.run").write_text((tmp_path / "example" / "neural.run").read_text())
    done = riskrank(
        "evaluate", "example/qrels.txt", "example/bm25.run", "other/bm25.run", "x=example/hybrid.run", "--csv"
    )
    names = [row["system"] for row in csv.DictReader(io.StringIO(done.out))]
    assert names == ["example/bm25", "other/bm25", "x"]


def test_the_former_bootstrap_gives_intervals_and_says_that_it_is_deprecated(riskrank, example):
    done = riskrank(*EXAMPLE, "--bootstrap", 200, "--seed", 3, "--json")
    assert done.out == riskrank(*EXAMPLE, "--intervals", "--json").out
    assert "--bootstrap and --seed are deprecated" in done.err


def test_verdicts_follow_the_correction(riskrank, example):
    runs = ("example/bm25.run", "example/neural.run", "example/hybrid.run", "example/expansion.run")
    for correction, p in (("holm", "p_holm"), ("bh", "p_bh"), ("none", "p_mirror")):
        done = riskrank("evaluate", "example/qrels.txt", *runs, "--correction", correction, "--json")
        (content,) = json.loads(done.out)["assessments"]
        assert content["correction"] == correction
        for at in (at for system in content["systems"][1:] for at in system["at"]):
            assert (at["verdict"] != "inconclusive") == (at[p] <= 0.05)


def test_csv_holds_one_table(riskrank, example):
    done = riskrank(*EXAMPLE, "--all-pairs", "--power", "--csv")
    assert done.status == 2
    assert "choose one of --per-topic, --all-pairs and --power" in done.err


def test_what_spoils_a_comparison_comes_before_its_numbers(riskrank, tmp_path):
    (tmp_path / "q").write_text("".join(f"{q} 0 a {int(q != 9)}\n" for q in range(1, 10)))
    (tmp_path / "old").write_text("1 Q0 a 1 1 old\n")
    (tmp_path / "new").write_text(
        "".join(f"{q} Q0 {d} 1 {s} new\n" for q in range(1, 10) for d, s in (("a", 2), ("b", 1)))
    )
    done = riskrank("evaluate", "q", "old", "new", "-m", "P@2")
    cautions = done.out.split("\n\n")[0].replace("\n", " ").split("Caution: ")[1:]
    assert [caution.strip() for caution in cautions] == [
        "old (the baseline) answers only 1 of 9 topics; the others count 0 for it, which flatters every other system.",
        "9 topics are few: only very large effects can be significant.",
        "1 of 9 topics has no relevant document: every system scores 0 there, which brings all means nearer to 0. "
        "They can be left out: --without-relevant drop, in Python scores.with_relevant().",
        "first documents that nobody judged count as not relevant, which may look like risk. So many of them were not "
        "judged: new 50% (the baseline: "
        "0%).",
    ]
    kept = riskrank("evaluate", "q", "old", "new", "-m", "P@2", "--without-relevant", "drop")
    assert "P@2, 1 system against old (0.062), 8 topics" in kept.out


def test_numbers_are_those_of_the_library(riskrank, shared_data):
    folder = shared_data / "trec_dl2019"
    runs = sorted((folder / "runs").glob("*.gz"))[:3]
    done = riskrank("evaluate", folder / "qrels.dl19-passage.txt", *runs, "--json", "-m", "nDCG@10")
    content = json.loads(done.out)["assessments"][0]
    scores = rr.evaluate(folder / "qrels.dl19-passage.txt", runs, "nDCG@10")
    np.testing.assert_array_equal(list(content["scores"].values()), scores.matrix)


def test_help_names_the_options(riskrank):
    main = riskrank("--help")
    assert all(word in main.out for word in ("evaluate", "gate", "demo"))
    assert "--per-topic" in riskrank("evaluate", "--help").out
    assert "--max-risk" in riskrank("gate", "-h").out
    assert riskrank("--version").out.strip() == f"riskrank {rr.__version__}"


RUN = "1 Q0 a 1 2.0 t\n2 Q0 b 1 1.0 t\n"


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"q": "1 0 a\n", "r": RUN}, ["q", "r"], "q:1: a line needs the fields 'topic 0 document grade', got 3"),
        ({"q": "1 0 a 1\n", "r": "1 Q0 a 1 x t\n"}, ["q", "r"], "r:1: score must be a finite number, got 'x'"),
        ({"q": "1 0 a 1\n", "r": "1 Q0 a 1 nan t\n"}, ["q", "r"], "r:1: score must be a finite number, got 'nan'"),
        ({"q": "1 0 a 1\n", "r": RUN + "1 Q0 a 2 1 t\n"}, ["q", "r"], "r:3: document 'a' stands twice for topic '1'"),
        ({"q": "1 0 a 1\n", "r": "1 Q0 a\n"}, ["q", "r"], "r:1: a line needs the fields"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "-m", "nDGC@10"], "unknown measure 'nDGC@10'. Did you mean 'nDCG'"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "-b", "rr"], "baseline 'rr' is not among the systems: r."),
        ({"q": "9 0 a 1\n", "r": RUN}, ["q", "r"], "have no topic in common"),
        ({"q": "", "r": RUN}, ["q", "r"], "q: is empty"),
        ({"q": "1 0 a 1\n", "r": ""}, ["q", "r"], "r: is empty"),
        ({"q": "1 0 a 1\n", "r": b"\x00\xff\x00"}, ["q", "r"], "r: is a binary file"),
        ({"q": "1 0 a 1\n", "r": gzip.compress(RUN.encode() * 99)[:50]}, ["q", "r"], "r: cannot be decompressed"),
        ({"q": "1 0 a 1\n"}, ["q", "nothing"], "nothing: no such file"),
        ({"q": "1 0 a 1\n"}, ["q", "."], ".: is a directory"),
        ({"q": "1 0 a 1\n"}, ["q"], "pass at least one run"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "feature:3"], "needs a LETOR file with features"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "--confidence", "95"], "--confidence must lie between 0 and 1"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "--population", "x"], "--population names 'x', which is no system"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "-a", "0,x"], "--alpha takes numbers like 0,1,5,10, got '0,x'."),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "--sort", "rsk"], "--sort must be one of gain, risk, hurt, cvar,"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "--columns", "gain,rsk"], "--columns must be one of score, gain, in"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "-a", "-1"], "--alpha must be a number from 0 to 1e+09, got -1"),
        ({"q": "1 0 a 1\n3 0 a 1\n", "r": RUN}, ["q", "r", "--missing", "error"], "all 2 topics of the qrels, got 1"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "r"], "two systems are named"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "--json", "--csv"], "choose one of"),
        ({"q": "1 0 a 1\n", "r": RUN}, ["q", "r", "-o", "no/such/folder"], "cannot be written"),
        ({"t": "0 qid:1 1:1\n", "s": "1\n2\n"}, ["t", "s"], "s: must hold a score for each of the 1 documents, got 2"),
        ({"t": "0 qid:1 1:1\n"}, ["t", "feature:2"], "feature must be from 1 to 1, got 2"),
        ({"t": "0 qid:1 1:1\n"}, ["t", "feature:x"], "a feature is given by its number"),
        ({"t": "0 qid:1 1:x\n"}, ["t", "feature:1"], "t:1: feature value must be a number"),
        ({"m.csv": "topic,a\n1,x\n"}, ["m.csv"], "m.csv:2: column 'a' must hold finite numbers, got 'x'"),
        ({"m.csv": "topic,a\n1,0.1\n", "r": RUN}, ["m.csv", "r"], "already holds the scores of all systems"),
        ({"m.parquet": "no"}, ["m.parquet"], "is not a Parquet file"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_status_2_and_nothing_is_written(riskrank, tmp_path, files, arguments, message):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = sorted(tmp_path.iterdir())
    arguments = arguments if "-o" in arguments else [*arguments, "-o", "out.txt", "--html", "out.html"]
    done = riskrank("evaluate", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("riskrank: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.fixture
def traffic(example, tmp_path):
    """How often each topic of the example is asked for, by a table that has more than that."""
    scores = rr.evaluate(tmp_path / "example/qrels.txt", tmp_path / "example/bm25.run", "nDCG@10")
    views = {topic: 1000 // (i + 1) for i, topic in enumerate(scores.topics)}
    lines = [f"{topic},{count},x" for topic, count in views.items()]
    (tmp_path / "traffic.csv").write_text("\n".join(["topic,views,device", *lines, "unheard of,5,x"]))
    return views


def test_topics_count_by_a_table_of_weights(riskrank, traffic, tmp_path):
    done = riskrank(*EXAMPLE, "-b", "bm25", "--weights", "traffic.csv:views")
    assert (done.status, done.err) == (0, "")
    weights = np.array(list(traffic.values()))
    count = f"{weights.sum() ** 2 / np.square(weights).sum():.1f}"
    assert f"50 topics, weighted: they count as {count}" in " ".join(done.out.split())
    assert f"Caution: 50 topics count as {count} by their weights, which is few" in done.out
    asked = (*EXAMPLE, "-b", "bm25", "--weights", "traffic.csv:views", "-a", 5)
    (content,) = json.loads(riskrank(*asked, "--json").out)["assessments"]
    assert content["weights"] == weights.tolist()
    row = next(csv.DictReader(io.StringIO(riskrank(*asked, "--csv").out)))
    assert float(row["n_effective"]) == pytest.approx(content["n_effective"])
    runs = {name: tmp_path / f"example/{name}.run" for name in ("bm25", "neural")}
    scores = rr.evaluate(tmp_path / "example/qrels.txt", runs, "nDCG@10")
    same = rr.assess(scores, "bm25", alphas=[5], weights=traffic)
    assert content["systems"][1]["at"][0]["urisk"] == pytest.approx(same["neural"].at[0].urisk)


@pytest.mark.parametrize(
    ("option", "change", "message"),
    [
        ("traffic.csv:views", "shorter", "topics have no weight"),
        ("traffic.csv", None, "traffic.csv:1: has 2 columns beside 'topic': name the one that is meant"),
        ("traffic.csv:device", None, "needs a number from 0, got 'x'"),
        ("nothing.csv", None, "nothing.csv"),
    ],
)
def test_weights_that_cannot_be_are_told_in_a_line(riskrank, traffic, tmp_path, option, change, message):
    if change is not None:
        lines = (tmp_path / "traffic.csv").read_text().splitlines()
        (tmp_path / "traffic.csv").write_text("\n".join(lines[:20]))
    done = riskrank(*EXAMPLE, "-b", "bm25", "--weights", option)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(("cell", "shown"), [("-3", "-3"), ("nan", "nan"), ("inf", "inf"), ("", "")])
def test_a_weight_that_is_none_is_told_by_its_line(riskrank, traffic, tmp_path, cell, shown):
    lines = (tmp_path / "traffic.csv").read_text().splitlines()
    lines[3] = f"{lines[3].split(',')[0]},{cell},x"
    (tmp_path / "traffic.csv").write_text("\n".join(lines))
    done = riskrank(*EXAMPLE, "-b", "bm25", "--weights", "traffic.csv:views")
    assert done.status == 2
    assert f"traffic.csv:4: topic '{lines[3].split(',')[0]}' needs a number from 0, got '{shown}'" in done.err


def test_a_page_never_replaces_the_weights(riskrank, traffic):
    done = riskrank(*EXAMPLE, "-b", "bm25", "--weights", "traffic.csv:views", "--html", "traffic.csv")
    assert done.status == 2
    assert "traffic.csv" in done.err


def test_a_table_is_judged_in_parts_unless_all_of_it_is_needed(riskrank, tmp_path, monkeypatch):
    rows = [(f"q{i // 3}", f"d{i}", i % 3 % 2, float(i % 7)) for i in range(30)]
    table = pl.DataFrame(rows, schema=["qid", "docno", "label", "bm25"], orient="row")
    gathered, scattered = tmp_path / "gathered.parquet", tmp_path / "scattered.parquet"
    table.write_parquet(gathered)
    pl.concat([table[::3], table[1::3], table[2::3]]).write_parquet(scattered)
    whole, read = [], TableOptions.read
    monkeypatch.setattr(TableOptions, "read", lambda self, path: whole.append(path) or read(self, path))
    one, other = (riskrank("evaluate", path, "column:bm25", "--csv") for path in (gathered, scattered))
    assert (one.status, one.out) == (0, other.out)
    assert one.err == other.err.replace(str(scattered), str(gathered))
    assert whole == [str(scattered)]
    riskrank("evaluate", gathered, "column:bm25", "--html", tmp_path / "page.html")
    assert whole == [str(scattered), str(gathered)]
