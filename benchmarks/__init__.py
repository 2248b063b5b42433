"""How fast tafl is on this machine: ``tafl bench``, or ``python -m benchmarks``."""
