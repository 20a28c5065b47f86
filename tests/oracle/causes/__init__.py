"""The causes of waiting: computational imbalance, delay costs, direct and propagating wait states, critical path and performance impact
("Imbalance", "Causes")."""
from .causes import Causes
from .kinds import METRICS
