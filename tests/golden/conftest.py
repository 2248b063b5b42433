"""The games' own test kits lie beside their tests."""

import sys
from pathlib import Path

for game in ("nidavellir", "reavers"):
    sys.path.insert(0, str(Path(__file__).parent.parent / game))
