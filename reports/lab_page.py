"""The pages of the laboratory's experiments."""

from __future__ import annotations

from analysis.experiments import Experiment
from analysis.sweeps import Sweep
from reports.lab_playing import finish
from reports.lab_words import print_sweep


def finish_sweep(made: Experiment, report: bool) -> None:
    """Print what a sweep found and write its tables and its page."""
    found = Sweep(made)
    finish(made, found, lambda: print_sweep(found), None)
