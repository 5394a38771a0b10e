"""From click logs to impressions, preference gains and features."""

from __future__ import annotations

from riskrank.clicks.click_memory import ClickMemory
from riskrank.clicks.features import FEATURES, ClickFeature
from riskrank.clicks.impressions import Impressions
from riskrank.clicks.logs.log_files import read_log, write_log
from riskrank.clicks.logs.log_report import LogReport
from riskrank.clicks.preference_gains import lowest_click_plus_one, preference_gains, standard_gains
from riskrank.clicks.preparation import prepare
from riskrank.clicks.prepared import Prepared
from riskrank.clicks.simulator import World

__all__ = [
    "FEATURES",
    "ClickFeature",
    "ClickMemory",
    "Impressions",
    "LogReport",
    "Prepared",
    "World",
    "lowest_click_plus_one",
    "preference_gains",
    "prepare",
    "read_log",
    "standard_gains",
    "write_log",
]
