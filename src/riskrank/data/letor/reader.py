"""LETOR/SVMLight text with ``qid:``, plain or packed, and LightGBM's and XGBoost's files of group sizes.

Small files are parsed in plain Python at once; large ones by the compiled parser, in blocks, on all cores.
Both give exactly the float32 nearest to the text.
"""

from __future__ import annotations

import itertools
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, TYPE_CHECKING

import numpy as np

from riskrank.cores import usable_cores
from riskrank.data.files import HEAD, UTF8_BOM, check_text, opened, whole_lines
from riskrank.data.letor.assembly import LetorWay, assembled
from riskrank.data.letor.float_memory import float_memory
from riskrank.data.letor.letor_lines import MAX_FEATURE, Block, exact_float32, parse_lines
from riskrank.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from riskrank.data.ranking_data import RankingData
    from riskrank.kernels.letor import LetorArrays
    from riskrank.typing import PathLike

SMALL = 6 << 20  # bytes of text; below it, plain Python is done before the compiled parser is loaded
BLOCK = 2 << 20
MAX_DOUBTFUL = 1000


def read_letor(
    path: PathLike,
    *,
    n_features: int | None = None,
    zero_based: bool = False,
    sparse: bool = False,
    cache: PathLike | None = None,
) -> RankingData:
    """Feature data for learning to rank: lines ``label qid:1 1:0.5 2:0.1 … # document-id``.

    Features that a line does not name are 0; `nan`, `NULL` and the largest double mark a missing value. A file without
    ``qid:`` needs a file of group sizes beside it (``train.txt.query`` as for LightGBM, ``train.txt.group`` as for
    XGBoost).

    Parameters
    ----------
    path
        A text file, plain or packed (gzip, bzip2, xz, Zstandard), or its address (``s3://…``).
    n_features
        Widens the data, for a file that lacks the last features.
    sparse
        Widen them also where every line names all features of the file, as if it had no others: these are 0.
    zero_based
        Do feature numbers start at 0, rather than at 1?
    cache
        A folder to keep what was read in: the next time nothing is parsed, unless the file has changed.
    """
    way = LetorWay(n_features, 0 if zero_based else 1, sparse)
    blocks = read_blocks(path, zero_based=zero_based)
    try:
        if cache is None:
            return assembled(path, list(blocks), way)
        from riskrank.data.letor.cached_letor import read_cached_letor

        return read_cached_letor(path, cache, blocks, way)
    except MemoryError:
        raise FileError(path, "its documents × features do not fit into memory.") from None


def read_blocks(path: PathLike, *, zero_based: bool = False) -> Iterator[Block]:
    """The documents of a LETOR file, some at a time, in order."""
    with opened(path) as file:
        head = file.read(max(SMALL, HEAD))
        check_text(path, head[:HEAD])
        text = head.removeprefix(UTF8_BOM)
        if len(head) < SMALL:
            yield parse_lines(text, path, zero_based=zero_based)
        else:
            yield from _parse_compiled(path, text, file, zero_based=zero_based)


def count_lines(path: PathLike) -> int:
    """How many lines a LETOR file has: about as many as documents."""
    with opened(path) as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(BLOCK), b"")) + 1


def check_letor(path: PathLike, *, zero_based: bool = False) -> None:
    """Refuse what is no such file by its first lines, before anything is done that takes longer."""
    with opened(path) as file:
        head = file.read(HEAD)
    check_text(path, head)
    end = len(head) if len(head) < HEAD else head.rfind(b"\n") + 1
    parse_lines(head[:end].removeprefix(UTF8_BOM), path, zero_based=zero_based)


def _parse_compiled(path: PathLike, head: bytes, file: IO[bytes], *, zero_based: bool) -> Iterator[Block]:
    """Blocks with documents, unless there is none."""
    empty: Block | None = None
    names_queries: bool | None = None
    for block in _compiled_blocks(path, head, file, zero_based=zero_based):
        if not len(block.labels):
            empty = block
            continue
        if names_queries not in (None, bool(block.query_starts)):
            raise FileError(path, "either every line needs 'qid:' or none.")
        names_queries = bool(block.query_starts)
        yield block
    if names_queries is None and empty is not None:
        yield empty


def _compiled_blocks(path: PathLike, head: bytes, file: IO[bytes], *, zero_based: bool) -> Iterator[Block]:
    first_lines = head[: head.rfind(b"\n", 0, HEAD) + 1]
    width = parse_lines(first_lines, path, zero_based=zero_based).features.shape[1]
    workers = usable_cores()
    waiting: deque[Future[Block]] = deque()
    line = 1
    pieces = (head[i : i + BLOCK] for i in range(0, len(head), BLOCK))
    with ThreadPoolExecutor(workers) as pool:
        for text in whole_lines(itertools.chain(pieces, iter(lambda: file.read(BLOCK), b""))):
            waiting.append(pool.submit(_parse_block, text, path, zero_based, line, width))
            line += text.count(b"\n")
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _parse_block(text: bytes, path: PathLike, zero_based: bool, first_line: int, width: int) -> Block:
    from riskrank.kernels.letor import parse_block

    n_lines = text.count(b"\n") + (not text.endswith(b"\n"))
    buffer = np.frombuffer(text, np.uint8)
    arrays = _allocated(n_lines, width)
    counts = parse_block(buffer, zero_based, arrays)
    if width < counts.width <= MAX_FEATURE:
        arrays = _allocated(n_lines, counts.width)
        counts = parse_block(buffer, zero_based, arrays)
    try:
        if not counts.is_usual or counts.width > MAX_FEATURE:
            raise ValueError
        for row, column, start, end in arrays.doubtful[: counts.doubtful].tolist():
            arrays.features[row, column] = exact_float32(text[start:end])
            if np.isinf(arrays.features[row, column]):
                raise ValueError
        spans = arrays.query_spans[: counts.queries].tolist()
        rows = arrays.query_rows[: counts.queries].tolist()
        query_starts = [(text[a:b].decode(), row) for row, (a, b) in zip(rows, spans, strict=True)]
        ids = None
        if counts.documents_with_id == counts.documents:
            ids = [text[a:b].decode() for a, b in arrays.document_spans[: counts.documents].tolist()]
    except ValueError:
        return parse_lines(text, path, zero_based=zero_based, first_line=first_line)
    features, labels = arrays.features[: counts.documents], arrays.labels[: counts.documents].copy()
    return Block(features, labels, query_starts, ids, counts.values)


def _allocated(n_lines: int, width: int) -> LetorArrays:
    from riskrank.kernels.letor import LetorArrays

    return LetorArrays(
        features=float_memory(n_lines, width),
        labels=np.empty(n_lines),
        document_spans=np.empty((n_lines, 2), np.int64),
        query_rows=np.empty(n_lines, np.int64),
        query_spans=np.empty((n_lines, 2), np.int64),
        doubtful=np.empty((MAX_DOUBTFUL, 4), np.int64),
    )
