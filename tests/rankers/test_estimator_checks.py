"""All checks that scikit-learn has for estimators: those that fail are the ones that the docs list."""

from __future__ import annotations

import re
import warnings

import pytest
import sklearn
from sklearn.utils.estimator_checks import check_estimator

import riskrank as rr

from ..documents import PROJECT

PAGE = (PROJECT / "docs" / "scikit-learn.md").read_text()
ROWS = re.findall(r"^\| `(check_\w+)` \| (.+?) \| ?(.*?) ?\|$", PAGE, flags=re.MULTILINE)


class OneQuery(rr.LambdaMART):
    """All rows as one query, for checks that know no queries."""

    def fit(self, X, y=None):
        return super().fit(X, y, group=None if y is None else [len(y)])


def checked(kind, engine):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(kind(n_trees=2, n_leaves=4, n_threads=1, engine=engine), on_skip=None, on_fail=None)
    return [result for result in results if result["status"] != "skipped"]


def failed(results):
    return {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}


@pytest.fixture(autouse=True)
def _the_version_of_the_page():
    if not sklearn.__version__.startswith("1.9."):
        pytest.skip("the page lists the checks of scikit-learn 1.9")


def test_the_checks_that_fail_are_those_of_the_table(engine):
    results = checked(rr.LambdaMART, engine)
    refused = failed(results)
    assert set(refused) == {name for name, _, _ in ROWS}
    n_passed = sum(result["status"] == "passed" for result in results)
    assert f"{n_passed} of its {len(results)} checks do" in PAGE
    for exception in refused.values():  # for the one reason that the table gives
        reasons = [exception, exception.__cause__, exception.__context__]
        assert any("queries are missing" in str(reason) for reason in reasons)


def test_with_queries_only_few_fail(engine):
    results = checked(OneQuery, engine)
    assert set(failed(results)) == {name for name, _, reason in ROWS if reason}
    assert f"{sum(result['status'] == 'passed' for result in results)} do. These fail" in PAGE
