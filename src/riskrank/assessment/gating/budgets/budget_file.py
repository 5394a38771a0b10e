"""Budget files: TOML that a team keeps beside its code."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskrank.assessment.gating.budgets.accepted_losses import AcceptedLoss
from riskrank.assessment.gating.budgets.budget_keys import ACCEPTED, LIMITS, NEEDS, TOP, TRUTH
from riskrank.assessment.gating.budgets.gate_budget import INHERITED, GateBudget
from riskrank.assessment.gating.budgets.key_lines import KeyLines
from riskrank.assessment.scored_systems import DEFAULT_MEASURE
from riskrank.data.files import read_bytes
from riskrank.errors import FileError, ParameterError, RiskrankError, first_duplicate, nearest, one_line, quoted
from riskrank.measures.parse import parse_measure
from riskrank.risk.budget.budget import NOTHING_SET, Budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from riskrank.typing import PathLike

PLAIN = ("fewest_in_segment", "without_relevant")  # which GateBudget takes, and checks, as they are
TABLES = ("limits", "measure", "segment", "accepted")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")  # the only form that schemas know


def read_budget(path: PathLike) -> GateBudget:
    """The budget of a file; paths in it start from its folder. What does not fit is named with its line."""
    try:
        text = read_bytes(path).decode()
        content = tomllib.loads(text)
    except FileError:
        raise
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8 text. Convert it first.") from None
    except tomllib.TOMLDecodeError as problem:
        where = re.search(r"at line (\d+)", str(problem))
        message = f"is not TOML: {one_line(str(problem), limit=200)}."
        raise FileError(path, message, line=int(where[1]) if where else None) from None
    except (RecursionError, ValueError, OverflowError) as problem:  # nested too deep, or numbers of thousands of digits
        raise FileError(path, f"is not TOML that can be read ({one_line(str(problem), limit=100)}).") from None
    return _BudgetReader(Path(path), content, KeyLines.of(path, text)).budget()


class _BudgetReader:
    def __init__(self, path: Path, content: dict[str, Any], lines: KeyLines) -> None:
        self.path, self.content, self.lines = path, content, lines

    def budget(self) -> GateBudget:
        content = self.content
        self._check_keys(content, (*TOP, *TABLES))
        measures = self._measures()
        by_measure: dict[str, str] = {}
        for name in self._table("measure"):
            measure = self._measure(name, "measure", name)
            if measure in by_measure:
                raise self.lines.error(f"{name} is {by_measure[measure]}, which has limits already.", "measure", name)
            by_measure[measure] = name
            self.lines.add_name(("measure", name), ("measure", measure))
        if by_measure and not measures and self.content.get("limits"):
            measures = (DEFAULT_MEASURE, *(name for name in by_measure if name != DEFAULT_MEASURE))
        self._check_used(measures, by_measure)
        try:
            return GateBudget(
                limits=self._limits("limits"),
                measures=measures or tuple(by_measure),
                by_measure={measure: self._limits("measure", name) for measure, name in by_measure.items()},
                segments=self._beside("segments"),
                by_segment={name: self._limits("segment", name) for name in self._table("segment")},
                weights=self._beside("weights"),
                must_not_break=self._must_not_break(),
                accepted=tuple(self._accepted(i) for i in range(len(self._list("accepted")))),
                lines=self.lines,
                **{name: _whole(content[name]) for name in PLAIN if name in content},
            )
        except FileError:
            raise
        except RiskrankError as error:
            raise self.lines.located(error) from None

    def _check_used(self, measures: tuple[str, ...], by_measure: dict[str, str]) -> None:
        """Refuse limits that nothing would be checked by."""
        for measure, name in by_measure.items():
            if measures and measure not in measures:
                raise self.lines.error(f"{name} is not among measures: its limits check nothing.", "measure", name)
        for name in self._table("segment"):
            if self._limits("segment", name).is_empty:
                raise self.lines.error(f"segment {quoted(name)} has no limit.", "segment", name)
        topics = [str(each.get("topic")) for each in self._list("accepted")]
        twice = first_duplicate(topics)
        if twice is not None:
            position = len(topics) - 1 - topics[::-1].index(twice)
            raise self.lines.error(f"topic {quoted(twice)} is accepted twice.", "accepted", position, "topic")

    def _limits(self, *table: str) -> Budget:
        """The limits of a table; how they are checked is that of [limits], unless it says otherwise."""
        content: Any = self.content
        for name in table:
            content = content.get(name, {})
        if not isinstance(content, dict):
            raise self.lines.error(f"{'.'.join(table)} must be a table of limits.", *table)
        self._check_keys(content, LIMITS, *table)
        for name, needed in NEEDS.items():
            if name in content and needed not in content:
                raise self.lines.error(f"{name} needs {needed}.", *table, name)
        for name, value in content.items():
            if LIMITS[name].rule is TRUTH and not isinstance(value, bool):
                raise self.lines.error(f"{name} must be true or false, got {value!r}.", *table, name)
        common = self.content.get("limits", {})
        if len(table) > 1 and isinstance(common, dict):
            content = {**{name: common[name] for name in INHERITED if name in common}, **content}
            if "max_hurt" in content and "tolerance" in common:
                content = {"tolerance": common["tolerance"], **content}
        try:
            limits = Budget(**content)
            if limits.is_empty and "no_significant_loss" in content:
                raise ParameterError(NOTHING_SET, "no_significant_loss")
            return limits
        except RiskrankError as error:
            raise self.lines.located(error, *table) from None

    def _accepted(self, position: int) -> AcceptedLoss:
        content = self._list("accepted")[position]
        self._check_keys(content, ACCEPTED, "accepted", position)
        for name in ("topic", "reason", "until"):
            if name not in content:
                raise self.lines.error(f"an accepted loss needs {name} = ….", "accepted", position)
        content = {**content, "topic": self._topic(content["topic"], "accepted", position, "topic")}
        if not isinstance(content["reason"], str):
            raise self.lines.error("reason must be a text. Put it in quotes.", "accepted", position, "reason")
        if isinstance(content["until"], str) and DATE.fullmatch(content["until"]):
            with suppress(ValueError):
                content["until"] = date.fromisoformat(content["until"])
        try:
            return AcceptedLoss(**content)
        except RiskrankError as error:
            raise self.lines.located(error, "accepted", position) from None

    def _measure(self, text: str, *key: str) -> str:
        try:
            return str(parse_measure(text))
        except RiskrankError as error:
            raise self.lines.error(str(error), *key) from None

    def _must_not_break(self) -> tuple[str, ...] | Path:
        """Topics, or the file that has them."""
        values = self.content.get("must_not_break", [])
        if not isinstance(values, list):
            return self._beside("must_not_break") or ()
        return tuple(self._topic(each, "must_not_break") for each in values)

    def _topic(self, value: Any, *key: str | int) -> str:
        """A topic's name; some are numbers."""
        if type(value) not in (str, int) or value == "":
            raise self.lines.error(f"{key[-1]}: a topic must be a text, got {value!r}. Put it in quotes.", *key)
        return str(value)

    def _measures(self) -> tuple[str, ...]:
        values = self.content.get("measures")
        is_list = isinstance(values, list) and values and all(isinstance(each, str) and each for each in values)
        if values is not None and not is_list:
            raise self.lines.error("measures must be a list of texts, at least one.", "measures")
        return tuple(self._measure(each, "measures") for each in values or ())

    def _beside(self, name: str) -> Path | None:
        """A path, from the folder of the budget."""
        text = self.content.get(name)
        if text is None:
            return None
        if not isinstance(text, str) or not text:
            raise self.lines.error(f"{name} must be the path of a file.", name)
        return self.path.parent / text

    def _table(self, name: str) -> dict[str, Any]:
        value = self.content.get(name, {})
        if not isinstance(value, dict):
            raise self.lines.error(f"{name} must be a table.", name)
        return value

    def _list(self, name: str) -> list[dict[str, Any]]:
        value = self.content.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.lines.error(f"{name} is written [[{name}]].", name)
        return value

    def _check_keys(self, content: dict[str, Any], known: Iterable[str], *table: str | int) -> None:
        names = list(known)
        for name in content:
            if name not in names:
                hint = " It belongs below [limits]." if not table and name in LIMITS else nearest(name, names)
                raise self.lines.error(f"unknown key {quoted(name)}.{hint}", *table, name)


def _whole(value: Any) -> Any:
    """A whole number that is written 20.0, as JSON has it, is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
