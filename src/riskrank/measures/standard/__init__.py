"""The measures that come with riskrank, one per file; importing this package registers them."""

from riskrank.measures.standard.ap import AP as AP
from riskrank.measures.standard.bpref import Bpref as Bpref
from riskrank.measures.standard.dcg import DCG as DCG
from riskrank.measures.standard.err import ERR as ERR
from riskrank.measures.standard.geometric_mean import GM as GM
from riskrank.measures.standard.ndcg import nDCG as nDCG
from riskrank.measures.standard.pair_accuracy import PairAccuracy as PairAccuracy
from riskrank.measures.standard.precision import P as P
from riskrank.measures.standard.rbp import RBP as RBP
from riskrank.measures.standard.recall import R as R
from riskrank.measures.standard.rr import RR as RR
from riskrank.measures.standard.success import Success as Success
