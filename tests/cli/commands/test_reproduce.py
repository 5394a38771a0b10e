"""`riskrank reproduce`, as its user runs it."""

from __future__ import annotations


def test_a_table_is_printed_and_its_page_written(riskrank, tmp_path):
    done = riskrank("reproduce", "dincer2016", "table-5", "-o", "out")
    assert done.status == 0
    assert "table-5: reproduced (64 of 64 numbers agree, " in done.out
    assert (tmp_path / "out" / "dincer2016-table-5.html").is_file()


def test_the_list_has_every_experiment_and_its_state(riskrank):
    done = riskrank("reproduce", "--list")
    assert done.status == 0
    assert "table-5" in done.out
    assert "not run yet" not in done.out


def test_what_is_not_there_is_told_in_one_line(riskrank):
    for arguments, said in (
        (["dincer2017"], "unknown paper 'dincer2017'"),
        (["dincer2016", "table-99"], "dincer2016 has no 'table-99'"),
        (["dincer2016", "--data", "none", "-o", "out"], "none: the data of a paper are a folder; none is here."),
        (["dincer2016", "table-5", "--list"], "--list shows whole papers: leave out the experiments"),
        (["dincer2016", "--data", "."], "with --data, -o names a folder for what is finished"),
    ):
        done = riskrank("reproduce", *arguments)
        assert done.status == 2
        assert said in done.err
        assert done.err.count("\n") == 1


def test_a_data_folder_that_lacks_all_is_told_in_one_line_and_nothing_is_written(riskrank, tmp_path):
    (tmp_path / "empty").mkdir()
    done = riskrank("reproduce", "dincer2014", "table-3", "--data", "empty", "-o", "out")
    assert done.status == 2
    assert done.err.startswith("riskrank: empty: lacks Fold1/train.txt, ")  # no estimate of no data before it
    assert done.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
