"""Makers of charts: from the tables of a run to charts, by what they are about."""
