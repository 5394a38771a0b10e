"""Models side by side are those trained one after the other; interrupted, they go on where they were."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import riskrank as rr
from riskrank.errors import FileError
from riskrank.progress import overall
from riskrank.rankers.trees import lightgbm_trees
from riskrank.tradeoff import sweep_plan
from riskrank.tradeoff.training.workers import SharedBar, run_jobs

from ..small_sweeps import Trainings, counted, quick, ranker, same_sweeps

pytestmark = pytest.mark.usefixtures("two_cores")


def test_models_side_by_side_are_the_same_as_one_after_the_other(small):
    rankers = {"trees": ranker(n_trees=5), "for AP": ranker(rr.URisk("AP"), n_trees=4)}
    one, two = (quick(small, rankers, values=(0, 1, 4), n_jobs=n) for n in (1, 2))
    same_sweeps(one, two)
    for i in range(6):
        np.testing.assert_array_equal(one.model(i).predict(small[2]), two.model(i).predict(small[2]))


def test_rankers_keep_the_threads_that_they_were_given(small, monkeypatch):
    monkeypatch.setattr(sweep_plan, "usable_cores", lambda: 8)
    threads = []
    fit = rr.LambdaMART.fit

    def noted(model, *arguments, **options):
        threads.append(model.n_threads)
        return fit(model, *arguments, **options)

    monkeypatch.setattr(rr.LambdaMART, "fit", noted)
    quick(small, ranker(n_trees=1, n_threads=1), n_jobs=2)
    assert threads == [1, 1]


@pytest.mark.parametrize("given", [(None, None), (1, 3), (2, 2)])
def test_models_side_by_side_use_one_number_of_threads_for_all_they_do(small, folder, monkeypatch, given):
    """LightGBM has one for the whole process, and crashes when it changes while another model begins."""
    monkeypatch.setattr(sweep_plan, "usable_cores", lambda: 4)
    threads = []
    for owner, name in ((lightgbm_trees, "_parameters"), (lightgbm_trees.Model, "predict")):
        usual = getattr(owner, name)

        def noted(*arguments, usual=usual, **options):
            threads.append(options["n_threads"] if options else arguments[0].n_threads)
            return usual(*arguments, **options)

        monkeypatch.setattr(owner, name, noted)
    rankers = {str(k): ranker(n_trees=2, n_threads=number) for k, number in enumerate(given)}
    quick(small, rankers, n_jobs=2, folder=folder)
    assert set(threads) == {2}
    threads.clear()
    quick(small, rankers, n_jobs=2, folder=folder, measures=["nDCG@3"])  # judged anew, from their files
    assert set(threads) == {2}
    assert [rr.load(place).n_threads for place in sorted(folder.glob("models/*/*/fold-1"))][:1] == [given[0]]


def test_nets_beside_trees_are_the_same_however_many_jobs(small, folder):
    pytest.importorskip("torch", reason="nets need PyTorch")
    net = rr.LambdaNet(rr.URisk("nDCG@10"), hidden=(4,), n_epochs=2, n_threads=1)
    one, two = (quick(small, {"net": net, "trees": ranker(n_trees=2)}, n_jobs=n) for n in (1, 2))
    same_sweeps(one, two)
    assert one.unit == "epochs"
    assert not one.is_valid_fresh  # the best epoch is the validation queries' choice
    kept = quick(small, {"net": net, "trees": ranker(n_trees=2)}, n_jobs=2, folder=folder)
    same_sweeps(rr.Sweep.load(folder), kept)
    same_sweeps(kept, one)


# Jobs.


@pytest.mark.parametrize("n_workers", [1, 3])
def test_results_stand_in_the_order_of_their_jobs(n_workers):
    assert run_jobs([partial(divmod, k, 3) for k in range(7)], n_workers) == [divmod(k, 3) for k in range(7)]


@pytest.mark.parametrize("n_workers", [1, 3])
def test_an_error_of_a_job_is_the_callers(n_workers):
    with pytest.raises(ZeroDivisionError):
        run_jobs([partial(divmod, 1, k) for k in (2, 0, 3)], n_workers)


def fails_after(n_steps, shared):
    with shared.counts(8):
        overall.get()(n_steps)
        raise ZeroDivisionError


def test_steps_of_all_trainings_are_added_to_those_before_them():
    told = []

    class Bar:
        def update(self, done, text):
            told.append((done, text))

    shared = SharedBar(Bar(), n_trainings=2, n_done=100)
    with shared.counts(5):
        overall.get()(3)
    with pytest.raises(ZeroDivisionError):
        fails_after(2, shared)
    assert told == [(103, "0 of 2 models"), (105, "1 of 2 models"), (107, "1 of 2 models")]
    assert overall.get() is None


# Interruptions.


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("at", [1, 3])
def test_an_interrupted_sweep_keeps_what_is_finished_and_goes_on(small, folder, monkeypatch, n_jobs, at):
    values = (0, 1, 2, 3)
    with monkeypatch.context() as patch:
        Trainings(patch, fails_at=at)
        with pytest.raises(KeyboardInterrupt):
            quick(small, values=values, folder=folder, n_jobs=n_jobs)
    with pytest.raises(FileError, match="is a sweep that was interrupted: run it again to go on"):
        rr.Sweep.load(folder)
    finished = len(list(folder.rglob("finished.json")))
    assert finished == at - 1 if n_jobs == 1 else finished < 4
    trainings = Trainings(monkeypatch)
    done = quick(small, values=values, folder=folder, n_jobs=n_jobs)
    assert len(trainings.alphas) == 4 - finished
    same_sweeps(done, quick(small, values=values))


def test_an_error_in_one_model_is_told_and_the_sweep_can_go_on(small, folder, monkeypatch):
    with monkeypatch.context() as patch:
        Trainings(patch, fails_at=2, error=ZeroDivisionError("in the second model"))
        with pytest.raises(ZeroDivisionError, match="in the second model"):
            quick(small, values=(0, 1, 2, 3, 4, 5), folder=folder, n_jobs=2)
    done = quick(small, values=(0, 1, 2, 3, 4, 5), folder=folder, n_jobs=2)  # nobody is told to stop any more
    same_sweeps(done, quick(small, values=(0, 1, 2, 3, 4, 5)))


INTERRUPTED = """
import os
import signal
import sys
import threading

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.rankers.fitting.interruption import stop_in_threads
from riskrank.tradeoff import sweep_plan

sweep_plan.usable_cores = lambda: 2
steps = []  # of the second model


class URisk(rr.URisk):  # by its name and parameters the same
    def prepare(self, *arguments):
        if self.alpha == 1:
            steps.append(None)
            if len(steps) == 10:
                os.kill(os.getpid(), signal.SIGINT)
                if threading.current_thread() is not threading.main_thread():
                    stop_in_threads.wait()  # until the main thread has heard of it
        return super().prepare(*arguments)


def sweep(n_jobs, folder):
    data = web_search_data(36, documents_per_query=8, n_features=20, random_state=1)
    train, valid, test = (data.take(slice(*ends)) for ends in ((0, 16), (16, 24), (24, 36)))
    ranker = rr.LambdaMART(URisk("nDCG@10"), n_trees=20, n_leaves=4, n_threads=1)
    options = {"baseline": rr.Feature(1), "values": (0, 1, 2), "valid": valid, "test": test}
    rr.sweep(train, ranker, n_jobs=n_jobs, folder=folder, **options)


try:
    sweep(2, sys.argv[1] + "-2")
except KeyboardInterrupt:
    steps.clear()
    sweep(1, sys.argv[1] + "-1")
"""


def test_a_process_that_is_interrupted_leaves_checkpoints_to_go_on_from(small, tmp_path, monkeypatch):
    command = [sys.executable, "-W", "error", "-c", INTERRUPTED, str(tmp_path / "sweep")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    expected = quick(small, ranker(n_trees=20), values=(0, 1, 2))
    steps = []
    monkeypatch.setattr(rr.URisk, "prepare", counted(rr.URisk.prepare, steps))
    for n_jobs in (1, 2):
        folder = tmp_path / f"sweep-{n_jobs}"
        finished = {path.parent.parent.name for path in folder.rglob("finished.json")}
        interrupted = {path.parent.parent.name for path in folder.rglob("*.checkpoint/checkpoint.npz")}
        assert interrupted
        assert not interrupted & finished
        if n_jobs == 1:
            assert (finished, interrupted) == ({"alpha=0"}, {"alpha=1"})  # in the midst of the second model
        del steps[:]
        same_sweeps(quick(small, ranker(n_trees=20), values=(0, 1, 2), folder=folder, n_jobs=n_jobs), expected)
        assert 0 < len(steps) < 20 * (3 - len(finished))  # it did not begin anew
        assert not list(folder.rglob("*.checkpoint"))
