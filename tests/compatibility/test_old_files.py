"""What riskrank wrote once it still reads: models predict the same, interrupted work goes on to the same end."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch
from zipfile import ZipFile

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import riskrank as rr

from . import write_files

ROUNDING = {"rtol": 1e-6, "atol": 1e-9}  # engines of another version, and other processors, add up in another order
SINGLE = {"rtol": 1e-5, "atol": 1e-6}  # nets count in single precision
KINDS = {
    "lambdamart-lightgbm": rr.LambdaMART,
    "lambdamart-xgboost": rr.LambdaMART,
    "lambdamart-from-baseline": rr.LambdaMART,
    "preference-lambdamart": rr.PreferenceLambdaMART,
    "regression-trees": rr.RegressionTrees,
    "lambdanet": rr.LambdaNet,
    "adarank": rr.AdaRank,
    "afs": rr.AFS,
    "linear-ranker": rr.LinearRanker,
    "mixed": rr.Mixed,
    "selective": rr.Selective,
    "selective-learned": rr.Selective,
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The files, as they were written."""
    with ZipFile(Path(__file__).with_name("files.zip")) as archive:
        archive.extractall(tmp_path / "files")
    return tmp_path / "files"


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_json(path: Path):
    return json.loads(path.read_text())


def assert_scores(ranker, queries: Path, expected: Path):
    tolerance = SINGLE if isinstance(ranker, rr.LambdaNet) else ROUNDING
    np.testing.assert_allclose(ranker.predict(rr.read_letor(queries)), read_json(expected), **tolerance)


def skip_unless_written_with(versions: dict[str, str], ranker) -> None:
    if ranker.engine_versions() != versions:
        pytest.skip(f"a training goes on with the engine that it began with: {versions}")


def test_no_saved_model_is_left_out(files):
    assert {path.name for path in (files / "models").iterdir() if path.is_dir()} == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_saved_model_predicts_what_it_predicted(name, files):
    ranker = rr.load(files / "models" / name)
    assert type(ranker) is KINDS[name]
    assert_scores(ranker, files / "queries" / "test.txt", files / "models" / f"{name}.json")
    assert len(ranker.history_.frame) > 0


@pytest.mark.parametrize("name", KINDS)
def test_a_saved_model_is_saved_again_as_it_was(name, files, tmp_path):
    rr.load(files / "models" / name).save(tmp_path / "again")
    assert_scores(rr.load(tmp_path / "again"), files / "queries" / "test.txt", files / "models" / f"{name}.json")


@pytest.mark.parametrize("name", write_files.trainings())
def test_an_interrupted_training_goes_on_to_the_same_model(name, files):
    folder, queries = files / "checkpoints" / name, files / "queries"
    before = state_in(folder)
    skip_unless_written_with(before["identity"]["versions"], write_files.trainings()[name])
    train, valid = rr.read_letor(queries / "train.txt"), rr.read_letor(queries / "valid.txt")
    arguments = {"baseline": write_files.BASELINE, "valid": valid, "checkpoint": folder, "resume": True}
    with write_files.crashing("checkpoint.npz", after=1), pytest.raises(write_files.Crash):
        write_files.trainings()[name].fit(train, checkpoint_every=1, **arguments)
    assert (before["n_steps"], state_in(folder)["n_steps"]) == (3, 4)
    ranker = write_files.trainings()[name].fit(train, **arguments)
    assert_scores(ranker, queries / "test.txt", files / "checkpoints" / f"{name}.json")
    assert not folder.exists()


def state_in(folder: Path):
    with np.load(folder / "checkpoint.npz") as saved:
        return json.loads(saved["state"].tobytes())


COUNTED_FROM_ZERO = "trees_to_95_percent"  # formerly, and not from the baseline's level, which old files lack


def test_a_finished_sweep_has_the_same_summary(files):
    sweep = rr.Sweep.load(files / "sweeps" / write_files.FULL)
    kept = pl.read_csv(files / "sweeps" / f"{write_files.FULL}.csv")
    summary = sweep.summary.select(kept.columns)  # further columns came later
    assert_frame_equal(summary.drop(COUNTED_FROM_ZERO), kept.drop(COUNTED_FROM_ZERO), check_dtypes=False)
    assert sweep.summary[COUNTED_FROM_ZERO].is_nan().all()
    assert sweep.choose("risk", max_risk=1.0).ranker().predict(rr.read_letor(files / "queries" / "test.txt")).any()


def test_a_finished_sweep_is_not_trained_again(files):
    folder = files / "sweeps" / write_files.FULL
    before = content_of(folder / "models")
    skip_unless_written_with_the_same_engine(folder)
    again = write_files.sweep(files / "queries", folder)
    assert content_of(folder / "models") == before
    assert_frame_equal(again.summary, rr.Sweep.load(folder).summary)
    assert all(0 < level[0] < 1 for level in again.learning_baseline)  # from the histories of the models


def test_an_interrupted_sweep_goes_on_to_the_same_end(files):
    folder = files / "sweeps" / write_files.PARTIAL
    skip_unless_written_with_the_same_engine(folder)
    finished = folder / "models" / "urisk" / "alpha=0"
    before = content_of(finished)
    assert (folder / "models" / "urisk" / "alpha=5" / "fold-1.checkpoint" / "checkpoint.npz").exists()
    # One tree is left to grow, and is kept until the model is saved; grown again, they would be kept, too.
    with write_files.crashing("checkpoint.npz", after=2):
        write_files.sweep(files / "queries", folder)
    assert content_of(finished) == before
    resumed, undisturbed = (
        judged_today(files / "queries", files / "sweeps" / name) for name in (write_files.PARTIAL, write_files.FULL)
    )
    assert_frame_equal(resumed.summary, undisturbed.summary)


def judged_today(queries: Path, sweep: Path) -> rr.Sweep:
    """A finished sweep whose models are judged anew: tied scores were once judged in the order of the file."""
    for path in sweep.rglob("finished.json"):
        path.write_text(json.dumps(read_json(path) | {"judged": "long ago"}))
    with patch.object(rr.LambdaMART, "fit", side_effect=AssertionError("trained again")):
        return write_files.sweep(queries, sweep)


def skip_unless_written_with_the_same_engine(sweep: Path) -> None:
    card = read_json(sweep / "models" / "urisk" / "alpha=0" / "fold-1" / "card.json")
    engines = {name: version for name, version in card["versions"].items() if name == "lightgbm"}
    skip_unless_written_with(engines, rr.LambdaMART())


def test_prepared_clicks_are_read_as_they_were(files):
    prepared = rr.clicks.Prepared.open(files / "clicks" / "prepared")
    expected = read_json(files / "clicks" / "prepared.json")
    assert {part: write_files.digest(prepared.read(part)) for part in prepared.parts} == expected
    assert prepared.features[0] == "presented"


def test_a_sweep_over_clicks_has_the_same_tables(files):
    sweep = rr.ClickSweep.load(files / "clicks" / "sweep")
    for name in ("summary", "table"):
        expected = pl.read_csv(files / "clicks" / f"{name}.csv")
        same = [column for column in expected.columns if column != COUNTED_FROM_ZERO]
        assert_frame_equal(getattr(sweep, name).select(same), expected.select(same), check_dtypes=False)


def test_learned_baselines_are_found_in_their_cache(files):
    before = content_of(files / "baselines")
    population, _ = write_files.baselines(files / "queries", files / "baselines")
    assert content_of(files / "baselines") == before
    assert population["afs"].card_ == rr.load(next((files / "baselines").iterdir())).card_


def test_an_assessment_is_read_as_it_was(files):
    old = rr.Assessment.from_json(files / "assessment.json")
    new = rr.assess(old.scores, old.baseline, alphas=old.alphas)
    # Tests and intervals were others.
    of_today = ("p_mirror", "p_holm", "p_bh", "significant_up_to", "gain_low", "gain_high")
    numbers = [name for name, kind in new.summary.schema.items() if kind.is_numeric() and not name.startswith(of_today)]
    assert len(numbers) > 10
    assert_frame_equal(old.summary.select(numbers), new.summary.select(numbers))
    assert old.per_topic.height == new.per_topic.height


def test_tests_and_intervals_of_an_old_assessment_stay_what_they_were(files):
    old = rr.Assessment.from_json(files / "assessment.json")
    (then,), (now,) = read_json(files / "assessment.json")["assessments"], json.loads(old.to_json())["assessments"]
    for system, row in zip(now["systems"], then["systems"], strict=True):
        assert system["intervals"] == row["intervals"]
        for at, was in zip(system["at"], row["at"], strict=True):
            assert [at[name] for name in ("p_value", "p_holm", "p_bh")] == [
                was[name] for name in ("p_value", "p_holm", "p_bh")
            ]
            assert at["p_mirror"] == was["p_value"]
    assert (old.correction, old.population, old.test) == ("none", None, "t")
    assert "(t-test, p ≤ 0.05)" in repr(old)
    assert rr.Assessment.from_json(old.to_json()).test == "t"
    assert "<html" in old.to_html()


def test_former_words_of_verdicts_are_read_as_todays(files):
    text = (files / "assessment.json").read_text(encoding="utf-8")
    assert '"real reward"' in text
    assert '"real risk"' in text
    verdicts = {at.verdict for system in rr.Assessment.from_json(text) for at in system.at}
    assert verdicts == {"significant gain", "significant loss", "inconclusive", "undefined"}
