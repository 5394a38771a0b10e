from __future__ import annotations


def test_the_demo_shows_one_thing_and_names_the_others(riskrank):
    done = riskrank("demo")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(riskrank("demo", "evaluate").out)
    assert len(done.out.splitlines()) <= 24
    assert max(map(len, done.out.splitlines())) <= 79
    assert [line.split("  ")[0] for line in done.out.splitlines()[-3:]] == [
        "riskrank demo --save example", "riskrank demo sweep", "riskrank demo clicks",
    ]  # fmt: skip


def test_the_demo_has_no_other_parts(riskrank):
    done = riskrank("demo", "nothing")
    assert (done.status, done.out) == (2, "")
    assert "the demo has the parts evaluate, sweep, clicks, got 'nothing'" in done.err
