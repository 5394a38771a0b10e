"""Risk measures: arrays in, numbers out."""

from riskrank.risk.baselines import within_topic
from riskrank.risk.budget import Budget, Check, check_budget
from riskrank.risk.churn import kendall_tau
from riskrank.risk.cvar import cvar
from riskrank.risk.exploratory import Exploration, explore
from riskrank.risk.georisk import georisk
from riskrank.risk.helped_hurt import HelpedHurt, helped_hurt
from riskrank.risk.inference.bootstrap import bootstrap_intervals
from riskrank.risk.inference.multiple_testing import benjamini_hochberg, holm
from riskrank.risk.outcomes import Outcomes, gain, outcomes, reward, risk
from riskrank.risk.trisk import TRisk, trisk
from riskrank.risk.urisk import urisk
from riskrank.risk.zrisk import zrisk

__all__ = [
    "Budget",
    "Check",
    "Exploration",
    "HelpedHurt",
    "Outcomes",
    "TRisk",
    "benjamini_hochberg",
    "bootstrap_intervals",
    "check_budget",
    "cvar",
    "explore",
    "gain",
    "georisk",
    "helped_hurt",
    "holm",
    "kendall_tau",
    "outcomes",
    "reward",
    "risk",
    "trisk",
    "urisk",
    "within_topic",
    "zrisk",
]
