"""Strategy files as a user would write them, good ones and bad ones."""

HEADER = "from strategies.registry import strategy\n\n"


def policy(name: str, body: str, decision: str = "choose_card", extra: str = "", options: str = "") -> str:
    """Return the text of a file with one policy whose function for `decision` has `body`."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return (
        f'{HEADER}{extra}\n\n@strategy(game="nidavellir", name="{name}", idea="For a test."{options})\n'
        f"class Policy:\n    def {decision}(game, own, n_options):\n{lines}\n"
    )


FIRST_CARD = policy("first-card", "return 0")

EVERYTHING = HEADER + (
    '\n@strategy(game="nidavellir", name="last-option", idea="Takes the last option, whatever is asked.")\n'
    "def last_option(game, own, n_options):\n    return n_options - 1\n"
)

PATIENT = """\
game = "nidavellir"
name = "patient"
idea = "Thinks more of coins."
base = "balanced"

[weights]
coin_growth = 300
"""
