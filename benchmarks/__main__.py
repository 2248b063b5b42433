"""Run the benchmark with its defaults."""

from benchmarks.speed import run_benchmark

run_benchmark()
