"""Impressions as the lines of the two Yandex challenges."""

from __future__ import annotations

import os

import numpy as np
import pytest

from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs.log_files import read_log, write_log
from riskrank.errors import ParameterError

from .log_texts import NAMED, READ

TEXT_KINDS = [("2011", "log.txt"), ("2013", "log.txt"), ("2013", "log.gz")]


def test_the_lines_of_a_log_worked_by_hand(tmp_path):
    page = {
        "document": np.array([101, 102, 103, 104]), "domain": np.array([1, 1, 2, 2]),
        "dwell": np.array([40, np.nan, 9, np.inf]), "score": np.full(4, np.nan),
    }  # fmt: skip
    log = Impressions(
        session=np.array([7, 7]), user=np.array([3, 3]), day=np.array([2, 2]), time=np.array([0, 50]),
        query=np.array([55, 56]), is_withheld=np.array([False, False]), document_offset=np.array([0, 3, 4]), **page,
        term_offset=np.array([0, 2, 2]), term=np.array([8, 9]),
    )  # fmt: skip
    write_log([log], tmp_path / "new.txt", layout="2013")
    assert (tmp_path / "new.txt").read_text().splitlines() == [
        "7\tM\t2\t3",
        "7\t0\tQ\t0\t55\t8,9\t101,1\t102,1\t103,2",
        "7\t1\tC\t0\t101",  # a unit after the page
        "7\t41\tC\t0\t103",  # 40 later, and 9 before the next page
        "7\t50\tQ\t1\t56\t\t104,2",
        "7\t51\tC\t1\t104",
    ]
    write_log([log], tmp_path / "old.txt", layout="2011")
    assert (tmp_path / "old.txt").read_text().splitlines() == [
        "7\t0\tQ\t55\t1\t101\t102\t103", "7\t1\tC\t101", "7\t41\tC\t103", "7\t50\tQ\t56\t1\t104", "7\t51\tC\t104",
    ]  # fmt: skip


@pytest.mark.parametrize("events", READ.values(), ids=READ)
def test_a_log_that_was_read_can_be_written_in_its_own_layout(tmp_path, pages_of, events):
    (tmp_path / "log.txt").write_text(events.replace(" ", "\t").replace("|", "\n") + "\n")
    write_log(read_log(tmp_path / "log.txt"), tmp_path / "copy.txt", layout="2013")
    assert pages_of(read_log(tmp_path / "copy.txt")) == pages_of(read_log(tmp_path / "log.txt"))


OLD = "1\t0\tQ\t5\t1\t10\t11\n1\t1\tC\t10\n"


def test_a_log_without_users_and_domains_is_refused_in_the_layout_of_2013(tmp_path):
    (tmp_path / "old.txt").write_text(OLD)
    with pytest.raises(ParameterError, match="without users, days or domains cannot be written in the layout 2013"):
        write_log(read_log(tmp_path / "old.txt"), tmp_path / "new.txt", layout="2013")
    assert not (tmp_path / "new.txt").exists()


def test_withheld_pages_are_refused_in_the_layout_of_2011(tmp_path, batches):
    log = batches[0]
    log = Impressions(**{**vars(log), "is_withheld": np.ones(len(log), bool)})
    with pytest.raises(ParameterError, match="pages with withheld clicks cannot be written in the layout 2011"):
        write_log([log], tmp_path / "old.txt", layout="2011")
    assert not (tmp_path / "old.txt").exists()


@pytest.mark.parametrize("layout", ["2011", "2013"])
def test_logs_with_texts_for_names_are_readable_in_the_layouts_of_yandex(tmp_path, layout):
    (tmp_path / "log.csv").write_text(NAMED.replace("\n", ",0\n").replace(",clicked,0", ",clicked,day"))
    write_log(read_log(tmp_path / "log.csv"), tmp_path / "log.txt", layout=layout)
    assert sum(map(len, read_log(tmp_path / "log.txt", layout=layout, strict=True))) == 1


@pytest.mark.parametrize(("layout", "name"), TEXT_KINDS)
def test_pages_without_documents_are_refused_in_the_layouts_of_yandex(tmp_path, batches, layout, name):
    log = batches[0]
    empty = Impressions(**{**vars(log), "document_offset": np.append([0, 0], log.document_offset[2:])})
    with pytest.raises(ParameterError, match="at least one document"):
        write_log([empty], tmp_path / name, layout=layout)
    assert os.listdir(tmp_path) == []
