"""A paper as a list of experiments, and the function of ours behind each of its equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import ParameterError, listing, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riskrank.papers.outcome import Outcome


@dataclass(frozen=True)
class Workplace:
    """Where an experiment works: the reader's copy of the data (None: a small version runs on embedded or generated
    data), and a folder for what must survive an interruption.
    """

    data: Path | None
    folder: Path
    verbose: bool | None = None  # None: where somebody looks on

    def place(self, name: str) -> Path:
        """A folder of its own for a part of the work."""
        return self.folder / name


@dataclass(frozen=True)
class Experiment:
    """A table or figure: `key` is what users type, `title` what it shows.

    `needs` says which data the paper's full protocol takes and where they are from; empty where the paper prints all
    of them. `estimate` tells beforehand about how many seconds the full protocol takes.
    """

    key: str
    title: str
    run: Callable[[Workplace], Outcome]
    needs: str = ""
    estimate: Callable[[Workplace], float] | None = None


@dataclass(frozen=True)
class Equation:
    """An equation of the paper, and where it is computed: ``"riskrank.risk.urisk:urisk"``."""

    number: str
    what: str
    code: str


@dataclass(frozen=True)
class Paper:
    """Who wrote it, what it is called, its experiments in the paper's order, and its equations."""

    key: str
    authors: str
    title: str
    venue: str
    experiments: tuple[Experiment, ...]
    equations: tuple[Equation, ...]

    def experiment(self, key: str) -> Experiment:
        """By its key, as users type it: ``table-3``, ``Table 3`` or ``table3``."""
        wanted = _plain(key)
        for experiment in self.experiments:
            if _plain(experiment.key) == wanted:
                return experiment
        keys = [experiment.key for experiment in self.experiments]
        raise ParameterError(f"{self.key} has no {quoted(key)}. It has: {listing(keys)}.{nearest(key, keys)}")


def _plain(key: str) -> str:
    return "".join(letter for letter in key.lower() if letter.isalnum())
