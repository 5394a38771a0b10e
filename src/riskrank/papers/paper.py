"""A paper as a list of experiments, and the function of ours behind each of its equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from riskrank.errors import ParameterError, listing, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riskrank.papers.outcome import Outcome, PaperTable


@dataclass(frozen=True)
class Workplace:
    """Where an experiment works: the reader's copy of the data (None: a small version runs on embedded or generated
    data), and a folder for what must survive an interruption.
    """

    data: Path | None
    folder: Path
    verbose: bool | None = None  # None: where somebody looks on
    is_asked_for: bool = False  # by name, not with all of the paper: no other data may stand in for what it needs

    def place(self, name: str) -> Path:
        """A folder of its own for a part of the work."""
        return self.folder / name


@dataclass(frozen=True)
class Experiment:
    """A table or figure: `key` is what users type, `title` what it shows.

    `needs` says which data the paper's full protocol takes and where they are from; empty where `--data` changes
    nothing. `not_public` names those of the paper's data that nobody can have. `estimate` refuses data that the full
    protocol cannot use, as far as a glance at them tells, and says about how many seconds it takes. `measured` is what
    was measured once, at other sizes and settings, to find out why a claim does not hold; its outcome shows it, too.
    """

    key: str
    title: str
    run: Callable[[Workplace], Outcome]
    needs: str = ""
    estimate: Callable[[Workplace], float] | None = None
    not_public: str = ""
    measured: PaperTable | None = None

    def seconds(self, work: Workplace) -> float:
        """About how long it takes with the reader's data, which are looked at; 0 where that is not worth saying."""
        return 0.0 if work.data is None or self.estimate is None else self.estimate(work)

    def state_text(self, state: str, count: str) -> str:
        """How far it was reproduced, and which data nobody can have."""
        counted = f"{state} ({count})" if count else state
        return f"{counted}; data not public: {self.not_public}" if self.not_public else counted


@dataclass(frozen=True)
class Equation:
    """An equation of the paper, and where it is computed: ``"riskrank.risk.urisk:urisk"``."""

    number: str
    what: str
    code: str


@dataclass(frozen=True)
class Paper:
    """Who wrote it, what it is called, its experiments in the paper's order, and its equations.

    `without_numbers` names tables and figures in which nothing is measured or computed.
    """

    key: str
    authors: str
    title: str
    venue: str
    experiments: tuple[Experiment, ...]
    equations: tuple[Equation, ...]
    without_numbers: str = ""

    @property
    def remarks(self) -> list[str]:
        """What `--data` may hold, and for which experiments; and what there is nothing to run of."""
        keys: dict[str, list[str]] = {}
        for each in self.experiments:
            keys.setdefault(each.needs, []).append(each.key)
        without = keys.pop("", [])
        texts = [f"--data for {listing(served, limit=12)}: {need}." for need, served in keys.items()]
        texts += [f"--data changes nothing for {listing(without, limit=12)}."] if without else []
        return texts + ([f"Nothing to run: {self.without_numbers}."] if self.without_numbers else [])

    def experiment(self, key: str) -> Experiment:
        """By its key, as users type it: ``table-3``, ``Table 3`` or ``table3``."""
        wanted = _plain(key)
        for experiment in self.experiments:
            if _plain(experiment.key) == wanted:
                return experiment
        keys = [experiment.key for experiment in self.experiments]
        parts = [key for key in keys if wanted and _plain(key).startswith(wanted)]
        if len(parts) > 1:
            raise ParameterError(f"{self.key} has several of {quoted(key)}: {listing(parts)}. Name one, or all.")
        about = f" Nothing to run: {self.without_numbers}." if self.without_numbers else nearest(key, keys)
        raise ParameterError(f"{self.key} has no {quoted(key)}. It has: {listing(keys)}.{about}")


def _plain(key: str) -> str:
    return "".join(letter for letter in key.lower() if letter.isalnum())
