"""What a learner optimises, one objective per file; importing this package registers them."""

from riskrank.objectives.churn import Churn as Churn
from riskrank.objectives.cvar import CVaR as CVaR
from riskrank.objectives.diagnosis import Diagnosis as Diagnosis
from riskrank.objectives.diagnosis import diagnose as diagnose
from riskrank.objectives.faro import FARO as FARO
from riskrank.objectives.faro import TStarFARO as TStarFARO
from riskrank.objectives.gain import Gain as Gain
from riskrank.objectives.georisk import GeoRisk as GeoRisk
from riskrank.objectives.objective import OBJECTIVES as OBJECTIVES
from riskrank.objectives.objective import Objective as Objective
from riskrank.objectives.objective import objective_named as objective_named
from riskrank.objectives.objective import own_target as own_target
from riskrank.objectives.objective import register as register
from riskrank.objectives.ranknet import RankNet as RankNet
from riskrank.objectives.saro import SARO as SARO
from riskrank.objectives.ucro import UCRO as UCRO
from riskrank.objectives.urisk import URisk as URisk
