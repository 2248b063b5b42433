"""Strategies: where they come from (`registry`), how they are checked (`conformance`), and those that ship."""
