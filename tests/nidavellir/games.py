"""Playing whole games in tests: line-ups of shipped strategies, rows, recorded events."""

from functools import cache

import numpy as np

from simcore.nidavellir.spec import SPEC
from simcore.play import Plan
from simcore.play import Table as Seats
from strategies import registry
from tests.nidavellir.table import edition
