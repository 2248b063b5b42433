"""Strategies for Nidavellir: one file each, and the shared heuristic they are built from."""
