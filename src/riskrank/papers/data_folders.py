"""The reader's copies of the papers' data: what is looked for in a folder, and what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskrank.data.effectiveness import Effectiveness
from riskrank.data.letor.reader import read_letor
from riskrank.data.numbers import finite_number
from riskrank.data.ranking_data import RankingData
from riskrank.data.scores.score_matrix import LABEL_NAMES, read_scores
from riskrank.data.trec.qrels import read_qrels
from riskrank.errors import AlignmentError, FileError, listing, quoted
from riskrank.measures.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from riskrank.typing import Floats, FoldLike

MSLR = (
    "MSLR-WEB10K of Microsoft Research (microsoft.com/en-us/research/project/mslr), as unpacked: Fold1 … Fold5 with "
    "train.txt, vali.txt and test.txt"
)
LETOR = (
    "LETOR 4.0 of Microsoft Research (microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval): "
    "S1.txt … S5.txt, or Fold1 … Fold5 with train.txt, vali.txt and test.txt"
)
TREC_2012 = (
    "scores of TREC 2012 Web track runs (web2012_err20.csv, topics × runs; github.com/julian-urbano/"
    "sigir2019-statistical), with the organisers' baseline as indri_rm_cata_filtered.run (github.com/trec-web/"
    "trec-web-2013, data/runs/baselines/2012/rm/results-cata-filtered.txt) and the judgments (qrels.adhoc.txt; "
    "trec.nist.gov/data/web2012.html)"
)
TOPICS_2012 = range(151, 201)
N_FOLDS = 5
N_RUNS_2012 = 48
MSLR_FEATURES = 136
MSLR_QUERIES = 10_000
PARTS = ("train", "vali", "test")
ERR_ROUNDING = 1e-5  # scores are printed with five decimals
LONGEST_LINE = 2**17  # bytes
SAMPLE = 2**22  # bytes of a file that tell how many queries and documents it has


def letor_folds(folder: Path, needs: str, *, n_features: int | None = None) -> list[FoldLike]:
    """The five folds of a folder, as `sweep` takes them: given as such, or rotated over five parts as LETOR does.

    `n_features`: how many the first and the last line of each file must have.
    """
    parts = [folder / f"S{i + 1}.txt" for i in range(N_FOLDS)]
    if any(part.is_file() for part in parts):
        _check_files(folder, parts, needs, n_features)
        _check_apart(folder, parts, needs)
        data = [read_letor(part) for part in parts]
        turns = [data[k:] + data[:k] for k in range(N_FOLDS)]
        return [(joined_parts(turn[:3]), turn[3], turn[4]) for turn in turns]
    folds = [[folder / f"Fold{i + 1}" / f"{part}.txt" for part in PARTS] for i in range(N_FOLDS)]
    _check_files(folder, [file for fold in folds for file in fold], needs, n_features)
    for files in (*folds, [test for *_, test in folds]):
        _check_apart(folder, files, needs)
    return [(train, valid, test) for train, valid, test in folds]


def known_as_mslr(n_queries: int) -> tuple[str, str]:
    """What queries in MSLR's layout are called, and why their numbers are not the paper's (empty: they are all of it).

    >>> known_as_mslr(9000)
    ('MSLR data', 'the data have 9,000 queries, MSLR-WEB10K has 10,000')
    """
    if n_queries == MSLR_QUERIES:
        return "MSLR-WEB10K", ""
    return "MSLR data", f"the data have {n_queries:,} queries, MSLR-WEB10K has {MSLR_QUERIES:,}"


def letor_queries(folder: Path, needs: str, *, n_features: int | None = None) -> RankingData:
    """All queries of a folder with folds: the three parts of the first one hold each of them once."""
    return joined_parts([read_letor(part) for part in check_letor_queries(folder, needs, n_features=n_features)])


def check_letor_queries(folder: Path, needs: str, *, n_features: int | None = None) -> list[Path]:
    """Refuse what `letor_queries` could not read, as far as first and last lines tell; its files."""
    parts = [folder / "Fold1" / f"{part}.txt" for part in PARTS]
    _check_files(folder, parts, needs, n_features)
    return parts


def letor_parts(folder: Path, needs: str) -> list[RankingData]:
    """The five parts that the folds of a folder rotate: S1.txt … S5.txt, or the test queries of each fold."""
    return read_parts(folder, _part_files(folder), needs)


def check_letor_parts(folder: Path, needs: str) -> list[Path]:
    """Refuse what `letor_parts` could not read, as far as first and last lines tell; its files."""
    files = _part_files(folder)
    check_parts(folder, files, needs)
    return files


def _part_files(folder: Path) -> list[Path]:
    files = [folder / f"S{i + 1}.txt" for i in range(N_FOLDS)]
    if not any(file.is_file() for file in files):
        folds = [folder / f"Fold{i + 1}" / "test.txt" for i in range(N_FOLDS)]
        files = folds if any(file.parent.is_dir() for file in folds) else files
    return files


def about_queries(files: Sequence[Path]) -> int:
    """About how many queries LETOR files have, by their sizes and their first lines."""
    return _scaled(files, lambda lines: len({line.split(None, 2)[1] for line in lines if line.count(b" ") > 1}))


def about_documents(files: Sequence[Path]) -> int:
    """About how many documents they have."""
    return _scaled(files, len)


def _scaled(files: Sequence[Path], count: Callable[[list[bytes]], int]) -> int:
    """What first lines of files count, for as many as there are."""
    total = 0.0
    for file in files:
        with open(file, "rb") as content:
            lines = content.read(SAMPLE).splitlines(keepends=True)
        whole = lines[:-1] if len(lines) > 1 and not lines[-1].endswith(b"\n") else lines
        total += file.stat().st_size * count(whole) / max(sum(map(len, whole)), 1)
    return round(total)


def read_parts(folder: Path, files: Sequence[Path], needs: str) -> list[RankingData]:
    """LETOR files that are all there, whole, of different queries and with the same features."""
    check_parts(folder, files, needs)
    n_features = features_in(files[0])
    return [read_letor(file, n_features=n_features) for file in files]


def check_parts(folder: Path, files: Sequence[Path], needs: str) -> None:
    """Refuse files that `read_parts` could not read, as far as their first and last lines tell."""
    _check_files(folder, files, needs)
    n_features = features_in(files[0])
    for file in files:
        _check_features(file, n_features, f"{files[0].relative_to(folder)} has {n_features}", needs)
    _check_apart(folder, files, needs)


def trec_2012(folder: Path) -> Effectiveness:
    """ERR@20 of all runs, and of the organisers' baseline as indriCASP."""
    matrix, run, qrels = (
        folder / name for name in ("web2012_err20.csv", "indri_rm_cata_filtered.run", "qrels.adhoc.txt")
    )
    _check_files(folder, [matrix, run, qrels], TREC_2012)
    wanted = [str(topic) for topic in TOPICS_2012]
    topics = list(read_qrels(qrels).topics)
    if topics != wanted:
        judged = f"{topics[0]}–{topics[-1]}" if topics else "none"
        raise FileError(
            qrels, f"judges topics {judged}; the paper's are {wanted[0]}–{wanted[-1]}. Needed: {TREC_2012}."
        )
    try:
        own, others = evaluate(qrels, {"indriCASP": run}, "ERR@20"), _read_matrix(matrix)
    except AlignmentError as error:
        raise FileError(folder, f"{error} Needed: {TREC_2012}.") from None
    lacking = own.missing.get("indriCASP", ())
    if lacking:
        raise FileError(run, f"lacks {len(lacking)} of {len(wanted)} topics, first {lacking[0]}. Needed: {TREC_2012}.")
    shape = len(others.systems), len(others.topics)
    if shape != (N_RUNS_2012, len(wanted)):
        known = f"{shape[0]} runs and {shape[1]} topics, the public matrix {N_RUNS_2012} and {len(wanted)}"
        raise FileError(matrix, f"has {known}. Needed: {TREC_2012}.")
    _check_err(matrix, qrels, others.matrix)
    rows = {**dict(zip(others.systems, others.matrix, strict=True)), "indriCASP": own["indriCASP"]}
    return Effectiveness.from_rows(rows, topics=own.topics, measure="ERR@20")


def _read_matrix(file: Path) -> Effectiveness:
    """Scores; where the first column is a run's, a word in it would be taken for the name of a topic."""
    titles, *lines = file.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    has_labels = titles.partition(",")[0].strip().lower() in LABEL_NAMES
    for number, line in enumerate([] if has_labels else lines, start=2):
        cell = line.partition(",")[0]
        if cell and finite_number(cell) is None:
            raise FileError(file, f"scores must be numbers, got {quoted(cell)}. Needed: {TREC_2012}.", line=number)
    return read_scores(file)


def _check_err(file: Path, qrels: Path, matrix: Floats) -> None:
    """Refuse scores of another measure: no ERR@20 is above that of a topic's judgments in their best order."""
    judged = read_qrels(qrels).frame
    best: dict[str, dict[str, float]] = {}
    for topic, document, grade in judged.select("topic", "document", "grade").iter_rows():
        best.setdefault(topic, {})[document] = float(grade)
    most = evaluate(qrels, {"best": best}, "ERR@20")["best"]
    n_wrong = int(((matrix < 0) | (matrix > most + ERR_ROUNDING)).sum())
    if n_wrong:
        raise FileError(
            file, f"holds {n_wrong:,} of {matrix.size:,} scores that ERR@20 cannot have with these judgments: another "
            f"measure, or other topics. Needed: {TREC_2012}.",
        )  # fmt: skip


def _check_files(folder: Path, files: Sequence[Path], needs: str, n_features: int | None = None) -> None:
    lacking = [str(file.relative_to(folder)) for file in files if not file.is_file()]
    if lacking:
        raise FileError(folder, f"lacks {listing(lacking, limit=4)} of {len(files)} files. Needed: {needs}.")
    if n_features is not None:
        for file in files:
            _check_features(file, n_features, f"the paper's data have {n_features}", needs)


def _check_features(file: Path, n_features: int, known: str, needs: str) -> None:
    """Of the first line and the last one: whole lines name all of them."""
    n_named = features_in(file)
    if n_named != n_features:
        raise FileError(file, f"has {n_named} features; {known}. Needed: {needs}.", line=1)
    n_named = features_in(file, last=True)
    if n_named != n_features:
        raise FileError(file, f"is cut off: its last line has {n_named} of {n_features} features. Needed: {needs}.")


def _check_apart(folder: Path, files: Sequence[Path], needs: str) -> None:
    """Refuse copies: parts that begin with the same query would train and judge with it."""
    first: dict[bytes, Path] = {}
    for file in files:
        with open(file, "rb") as content:
            query = content.readline(LONGEST_LINE).split(maxsplit=2)[1:2]
        other = first.setdefault(query[0] if query else b"", file)
        if other != file:
            known = other.relative_to(folder)
            raise FileError(file, f"begins with the same query as {known}: is it a copy? Needed: {needs}.", line=1)


def features_in(file: Path, *, last: bool = False) -> int:
    """How many features the first line of a LETOR file names, or its last one."""
    with open(file, "rb") as content:
        line = content.readline(LONGEST_LINE)
        if last:
            content.seek(max(0, file.stat().st_size - LONGEST_LINE))
            line = content.read().rstrip(b"\n").rpartition(b"\n")[2]
    return sum(part.partition(b":")[0].isdigit() for part in line.partition(b"#")[0].split()[2:])


def joined_parts(parts: Sequence[RankingData]) -> RankingData:
    """Parts with queries of their own as one."""
    ids = [np.repeat(np.array(part.query_ids, dtype=object), np.diff(part.query_offsets)) for part in parts]
    return RankingData.from_arrays(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.labels for part in parts]),
        qid=np.concatenate(ids),
    )
