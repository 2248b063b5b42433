"""From exact sums to evidence: intervals, paired differences and tidy tables.

Nothing heavy is imported here: ``from analysis.tables import tables`` brings pandas, `analysis.intervals` does not.
"""
