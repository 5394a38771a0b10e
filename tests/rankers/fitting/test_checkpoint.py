"""A checkpoint is for the same training only, must be whole, and goes when training is done."""

from __future__ import annotations

import dataclasses
import io
import json
import shutil

import numpy as np
import pytest

import riskrank as rr
from riskrank.data.synthetic.synthetic_features import web_search_data
from riskrank.errors import FileError, ParameterError

from ..interrupted_trees import BASELINE, OBJECTIVE, interrupted, seventy_trees
from ..interrupting import Crash, crash, interrupting


def eight_trees(objective=OBJECTIVE, **parameters):
    return rr.LambdaMART(objective, **{"n_trees": 8, "n_leaves": 4, "n_threads": 1, **parameters})


@pytest.fixture(scope="module")
def folder(train, valid, tmp_path_factory):
    """With the checkpoint of a training that ended after 6 trees."""
    place = tmp_path_factory.mktemp("interrupted")
    with pytest.raises(Crash):
        eight_trees(interrupting(OBJECTIVE, crash, at=6)).fit(
            train,
            baseline=text_of(train),
            valid=valid,
            valid_baseline=text_of(valid),
            checkpoint=place,
            checkpoint_every=3,
        )
    return place


@pytest.fixture
def checkpoint(folder, tmp_path):
    """A copy of it, to be resumed or spoilt."""
    return shutil.copytree(folder, tmp_path / "copy") / "checkpoint.npz"


def text_of(data):
    return data.feature(1).astype(np.float64)


def resumed(ranker, train, valid, checkpoint, **changes):
    other = None if valid is None else text_of(valid)
    arguments = {"baseline": text_of(train), "valid": valid, "valid_baseline": other, **changes}
    return ranker.fit(train, **arguments, checkpoint=checkpoint.parent, resume=True)


def test_the_same_training_goes_on(train, valid, checkpoint):
    ranker = resumed(eight_trees(n_threads=2, verbose=False), train, valid, checkpoint)
    assert ranker.card_["trees"] == 8
    assert not checkpoint.exists()


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"n_trees": 9}, "n_trees was 8, is 9"),
        ({"n_leaves": 5}, "n_leaves was 4, is 5"),
        ({"learning_rate": 0.2}, "learning_rate was 0.1, is 0.2"),
        ({"random_state": 1}, "random_state was 0, is 1"),
        ({"engine_params": {"max_bin": 15}}, "engine_params was None"),
        ({"fast": True}, "fast was False, is True"),
        ({"start": "baseline"}, "start was 'zero', is 'baseline'"),
        ({"objective": rr.URisk(alpha=6)}, "objective was .*'alpha': 5.*'alpha': 6"),
        ({"objective": rr.URisk("AP", alpha=5)}, "objective was .*nDCG@10.*AP"),
        ({"objective": rr.UCRO(alpha=5)}, "objective was .*urisk.*ucro"),
    ],
    ids=str,
)  # fmt: skip
def test_another_parameter_is_another_training(parameters, name, train, valid, checkpoint):
    with pytest.raises(ParameterError, match=f"checkpoint.npz is of another training: {name}"):
        resumed(eight_trees(**parameters), train, valid, checkpoint)
    assert checkpoint.exists()


def test_another_engine_is_another_training(train, valid, checkpoint):
    with pytest.raises(ParameterError, match="is of another training: engine was 'lightgbm', is 'xgboost'"):
        resumed(eight_trees(engine="xgboost"), train, valid, checkpoint)


def test_other_data_are_another_training(train, valid, checkpoint):
    features, labels = np.array(train.features), np.array(train.labels)
    features[17, 4] += 1
    labels[17] += 1
    for data in (dataclasses.replace(train, features=features), dataclasses.replace(train, labels=labels)):
        with pytest.raises(ParameterError, match="is of another training: training data was"):
            resumed(eight_trees(), data, valid, checkpoint)
    with pytest.raises(ParameterError, match="is of another training: validation data was"):
        resumed(eight_trees(), train, train, checkpoint)
    with pytest.raises(ParameterError, match="is of another training: validation data was"):
        resumed(eight_trees(), train, None, checkpoint)


@pytest.mark.parametrize("side", ["baseline", "valid_baseline"])
def test_other_scores_of_the_baseline_are_another_training(side, train, valid, checkpoint):
    other = -text_of(train if side == "baseline" else valid)
    with pytest.raises(ParameterError, match="is of another training: .*baseline"):
        resumed(eight_trees(), train, valid, checkpoint, **{side: other})


def spoilt(content, damage):
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 255
    return {
        "empty": b"",
        "text": b"no checkpoint",
        "first half": content[: len(content) // 2],
        "second half": content[len(content) // 2 :],
        "flipped bit": bytes(flipped),
        "no state": packed(x=np.zeros(3)),
        "strange state": packed(state=np.frombuffer(b"[]", np.uint8)),
        "bare state": packed(state=np.frombuffer(b'{"format": 1}', np.uint8)),
        "newer format": packed(state=np.frombuffer(b'{"format": 99}', np.uint8)),
        "objects": packed(state=np.array([{}], dtype=object)),
    }[damage]


def packed(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "damage",
    ["empty", "text", "first half", "second half", "flipped bit", "no state", "strange state", "bare state",
     "newer format", "objects"],
)  # fmt: skip
def test_a_damaged_checkpoint_is_refused(damage, train, valid, checkpoint):
    content = spoilt(checkpoint.read_bytes(), damage)
    checkpoint.write_bytes(content)
    with pytest.raises(FileError, match="checkpoint.npz: .*Delete it to start anew"):
        resumed(eight_trees(), train, valid, checkpoint)
    assert checkpoint.read_bytes() == content


def test_a_finished_training_leaves_no_checkpoint(train, tmp_path):
    seventy_trees("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "c", checkpoint_every=3)
    assert not list(tmp_path.iterdir())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "checkpoint.npz").write_text("keep")
    with pytest.raises(FileError, match="mine: exists and is not a checkpoint of riskrank"):
        seventy_trees("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "mine", checkpoint_every=3)
    assert [path.read_text() for path in (tmp_path / "mine").iterdir()] == ["keep"]


def test_without_resume_training_starts_anew(train, valid, tmp_path):
    interrupted(seventy_trees("lightgbm"), tmp_path / "c", train)
    other = seventy_trees("lightgbm", learning_rate=0.3)
    other.fit(train, baseline=BASELINE, checkpoint=tmp_path / "c")
    expected = seventy_trees("lightgbm", learning_rate=0.3).fit(train, baseline=BASELINE)
    np.testing.assert_array_equal(other.predict(valid), expected.predict(valid))


def test_resuming_without_a_checkpoint_starts_at_the_beginning(train, valid, tmp_path):
    ranker = seventy_trees("lightgbm").fit(train, baseline=BASELINE, checkpoint=tmp_path / "nothing", resume=True)
    expected = seventy_trees("lightgbm").fit(train, baseline=BASELINE)
    np.testing.assert_array_equal(ranker.predict(valid), expected.predict(valid))


def test_a_checkpoint_that_is_kept_holds_the_finished_training(train, valid, tmp_path):
    arguments = {"baseline": BASELINE, "valid": valid, "checkpoint": tmp_path / "c", "keep_checkpoint": True}
    first = eight_trees(n_trees=40, early_stopping=2, learning_rate=0.5).fit(train, **arguments)
    again = eight_trees(n_trees=40, early_stopping=2, learning_rate=0.5)
    again.set_params(objective=interrupting(OBJECTIVE, crash, at=0)).fit(train, **arguments, resume=True)
    assert first.card_["ending"] == again.card_["ending"] == "no better on validation queries for 2 trees"
    np.testing.assert_equal(again.history_.columns, first.history_.columns)
    np.testing.assert_array_equal(again.predict(valid), first.predict(valid))


def test_a_feature_of_any_document_is_another_training(tmp_path):
    data = web_search_data(200, documents_per_query=20, n_features=20)
    features = np.array(data.features)
    assert len(features) > 2000
    features[1, 12] += 100  # of a row that the sampled fingerprint leaves out
    arguments = {"baseline": BASELINE, "checkpoint": tmp_path, "keep_checkpoint": True}
    eight_trees(n_trees=1).fit(data, **arguments)
    with pytest.raises(ParameterError, match="is of another training: all of the data was"):
        eight_trees(n_trees=1).fit(dataclasses.replace(data, features=features), **arguments, resume=True)


def test_a_checkpoint_that_knows_its_data_by_a_sample_only_is_resumed(train, valid, checkpoint):
    with np.load(checkpoint) as saved:
        arrays = dict(saved)
    state = json.loads(arrays["state"].tobytes())
    del state["identity"]["all of the data"]  # as it was once
    checkpoint.write_bytes(packed(**{**arrays, "state": np.frombuffer(json.dumps(state).encode(), np.uint8)}))
    assert resumed(eight_trees(), train, valid, checkpoint).card_["trees"] == 8
