"""Strategies for Reavers of Midgard."""
