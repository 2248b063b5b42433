"""Reavers of Midgard: raid, trade and fight at sea for six rounds; most Glory wins."""
