"""What a learner optimises, one objective per file; importing this package registers them."""

from riskrank.objectives.churn import Churn
from riskrank.objectives.cvar import CVaR
from riskrank.objectives.diagnosis import Diagnosis, diagnose
from riskrank.objectives.faro import FARO, TStarFARO
from riskrank.objectives.gain import Gain
from riskrank.objectives.georisk import GeoRisk
from riskrank.objectives.objective import OBJECTIVES, Objective, objective_named, own_target, register
from riskrank.objectives.ranknet import RankNet
from riskrank.objectives.saro import SARO
from riskrank.objectives.ucro import UCRO
from riskrank.objectives.urisk import URisk

__all__ = [
    "FARO",
    "OBJECTIVES",
    "SARO",
    "UCRO",
    "CVaR",
    "Churn",
    "Diagnosis",
    "Gain",
    "GeoRisk",
    "Objective",
    "RankNet",
    "TStarFARO",
    "URisk",
    "diagnose",
    "objective_named",
    "own_target",
    "register",
]
