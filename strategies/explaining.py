"""How a strategy says what each option was worth to it, for ``tafl replay RUN GAME --explain``.

A decision calls `tell_nb` for the options it has valued::

    tell_nb(i, value, 256)  # option i is worth value / 256 points

Of an option that is told several times, the most counts.
Compiled, that is nothing at all: games that count are played as fast as without it. A game that is explained is played
once more in plain Python, where it is written down, and must end exactly as the compiled one did.
"""

from simcore.accel import INTERPRETED, kernel

told: list[tuple[int, float]] = []
"""In plain Python: option and worth in points, of the decision being taken."""


if INTERPRETED:

    def tell_nb(option, worth, scale):
        """Say what an option is worth: `worth` / `scale` points."""
        told.append((int(option), int(worth) / int(scale)))

else:

    @kernel
    def tell_nb(option, worth, scale):
        """Say what an option is worth; compiled, nothing is said."""
