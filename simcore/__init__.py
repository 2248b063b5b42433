"""The simulator: luck, contracts, blocks, runs, and a folder for each game."""
