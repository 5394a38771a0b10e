"""Write formats.md: what each file of riskrank holds, as the records say that read it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from riskrank.assessment.assessment_record import AssessmentRecord
from riskrank.assessment.gating.gate_records import GateRecord
from riskrank.assessment.gating.past_gates import PastGateRecord
from riskrank.clicks.prepared_card import PreparedCard
from riskrank.data.cache.cache_record import CacheRecord
from riskrank.data.shards.manifest import ShardManifest
from riskrank.files.file_list import FileList
from riskrank.files.records import schema_of
from riskrank.rankers.model_records import CheckpointState, HistoryColumns, LinearWeights, ModelCard, WrapperCard
from riskrank.tradeoff.sweep_records import FinishedRecord, SweepRecord

PAGE = Path(__file__).with_name("formats.md")
INTRODUCTION = """# Formats

What riskrank keeps on disk and reads back, as JSON schemas (draft 2020-12). A file of another form is refused in one
line, `file: field: what`, before anything of it is used; so is one of a newer version. Files of former versions load.
What a schema does not name is left alone, unless it says otherwise. NaN is `null`, and infinite numbers are `"inf"` and
`"-inf"`.

Only regular files are read, of at most 16 MiB (cards) or 256 MiB (other JSON). Models are checked before an engine
reads them: LightGBM's text (`model.txt`) and XGBoost's JSON (`model.json`) for the shape of all trees, weights of nets
(`model.safetensors`) for size and finite numbers.

This page is written by `python docs/make_formats.py`, from the records that read the files.
"""


class Format(NamedTuple):
    """A file, the record that reads it, and what there is to say of it."""

    title: str
    record: Any
    text: str


FORMATS = (
    Format(
        "Card of a model",
        ModelCard,
        "`card.json` in a model's folder. Two entries more count steps: `trees` and `best_trees`, say.",
    ),
    Format(
        "Card of a model around another",
        WrapperCard,
        "`card.json` of `Mixed` and `Selective`; the folder `model` beside it holds the other one.",
    ),
    Format(
        "History", HistoryColumns, "`history.json` of a model: columns of one length, the first of which counts steps."
    ),
    Format("Linear weights", LinearWeights, "`weights.json` of a linear model."),
    Format(
        "Checkpoint",
        CheckpointState,
        "The array `state` (UTF-8) of `checkpoint.npz`, which also has those of whatever learns.",
    ),
    Format("Sweep", SweepRecord, "`sweep.json`, beside `queries.parquet`, a row for each query and model."),
    Format("Model of a sweep", FinishedRecord, "`finished.json`, beside the model's card."),
    Format(
        "Prepared clicks",
        PreparedCard,
        "`prepared.json`, beside folders of Parquet files; `clicks.json` of a sweep over clicks is a copy.",
    ),
    Format(
        "Manifest of shards",
        ShardManifest,
        "`shards.json`, beside folders of Parquet files with columns `qid`, `label`, `row`, perhaps `docno`, `weight` "
        "and `score:…`, and the features; `digest` is the SHA-256 of the other entries as JSON with sorted keys.",
    ),
    Format(
        "Entry of a cache",
        CacheRecord,
        "`entry.json` in each folder of a cache (`--cache`), beside `features` (single floats, little-endian, row by "
        "row) and Parquet files of what else was read (`.table`). A sample is the SHA-256 of 16 pieces of 64 KiB, "
        "evenly spread over a file.",
    ),
    Format(
        "Assessment",
        AssessmentRecord,
        'Each of `{"format": "riskrank assessments", "version": 2, "assessments": […]}`, as `evaluate --json` has it.',
    ),
    Format(
        "List of a folder",
        FileList,
        '`.riskrank.json` of each folder that riskrank makes; it also has `"format": "riskrank folder", "version": 1`.',
    ),
    Format("Gate", GateRecord, "What `gate --json` writes."),
    Format("History of a gate", PastGateRecord, "Each line of the file that `gate --history` appends to."),
)


def page() -> str:
    """All of the page."""
    return INTRODUCTION + "".join(
        f"\n## {each.title}\n\n{each.text}\n\n```json\n{_text(schema_of(each.record))}\n```\n" for each in FORMATS
    )


def _text(value: Any, margin: str = "") -> str:
    """JSON with a line for each entry that does not fit on one."""
    short, inner = json.dumps(value, ensure_ascii=False), margin + "  "
    if len(margin) + len(short) <= 150 or not isinstance(value, dict | list):
        return short
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + _text(each, inner) for each in value) + f"\n{margin}]"
    entries = [f"{inner}{json.dumps(name)}: {_text(each, inner)}" for name, each in value.items()]
    return "{\n" + ",\n".join(entries) + f"\n{margin}}}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
