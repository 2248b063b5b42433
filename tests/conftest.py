"""What holds for every test: the engine's own indices are checked too (about 6 % slower)."""

import os

os.environ.setdefault("TAFL_BOUNDSCHECK", "1")  # before anything imports simcore
