"""Nidavellir (base game, 2 to 5 players). `game.py` reads like the rulebook's table of contents."""
