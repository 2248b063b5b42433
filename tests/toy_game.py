"""A dice game that proves the machine knows nothing of any game: its own records, decisions, columns and edition.

Each player in turn, for a number of rounds, chooses a die (4, 8 or 20 sides) and throws it: a one loses the turn, any
other throw is points. After a lost turn the player decides whether to `choose_charm`: 2 points, but smaller dice.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable

import numpy as np

from simcore.accel import array_at, call_decision, compile_decision, kernel, record_dtype
from simcore.contract import (
    MAX_MEMORY,
    MAX_PARAMS,
    WIN_UNITS,
    WRONG_ANSWER,
    Column,
    Decision,
    Entrant,
    GameSpec,
    Provenance,
)
from simcore.luck import STREAM_SIZE, draw_below_nb, open_stream_nb

MAX_PLAYERS = 4
MAX_EVENTS = 64
EVENT_SIZE = 4
DECISIONS = (
    Decision("choose_die", "sides of the dice", "a turn"),
    Decision("choose_charm", "0 no, 1 yes", "after a one was thrown"),
)
CHOOSE_DIE, CHOOSE_CHARM = range(2)
N_DECISIONS = len(DECISIONS)

GAME = record_dtype(
    [
        ("n_players", "i8"),
        ("n_rounds", "i8"),
        ("step_limit", "i8"),
        ("n_steps", "i8"),
        ("turn", "i8"),
        ("points", "i8", (MAX_PLAYERS,)),
        ("charm", "i8", (MAX_PLAYERS,)),
    ]
)
OWN = record_dtype(
    [
        ("seat", "i8"),
        ("decision", "i8"),
        ("option", "i8", (4,)),
        ("param", "i8", (MAX_PARAMS,)),
        ("luck", "u8", (STREAM_SIZE,)),
        ("memory", "i8", (MAX_MEMORY,)),
        ("table", "u8"),
        ("n_table", "i8"),
    ]
)
HIDDEN = record_dtype(
    [
        ("own", OWN, (MAX_PLAYERS,)),
        ("luck", "u8", (STREAM_SIZE,)),
        ("seed", "u8"),
        ("block", "i8"),
        ("game_in_block", "i8"),
        ("address", "u8", (MAX_PLAYERS, N_DECISIONS)),
        ("n_decisions", "i8"),
        ("asked_seat", "i8"),
        ("asked_decision", "i8"),
        ("asked_options", "i8"),
        ("answer", "i8"),
        ("trusting", "i8"),
        ("recording", "i8"),
        ("n_events", "i8"),
        ("event", "i8", (MAX_EVENTS, EVENT_SIZE)),
    ]
)
WIN, SCORE, MARGIN, PLACE, THROWN, CHARMS, N_ONES, BEST, HAD_TWENTY, UNLUCKY, UNFINISHED, SEAT = range(12)
N_SLOTS = SEAT + MAX_PLAYERS


@kernel
def ask_nb(game, hidden, seat, decision, n_options):
    hidden.own[seat].decision = decision
    hidden.n_decisions += 1
    game.n_steps += 1
    hidden.asked_seat = seat
    hidden.asked_decision = decision
    hidden.asked_options = n_options
    answer = call_decision(hidden.address[seat, decision], game, hidden.own[seat], n_options)
    hidden.answer = answer
    if answer < 0 or answer >= n_options:
        raise ValueError(WRONG_ANSWER)
    return answer


@kernel
def turn_nb(game, hidden, seat, row):
    me = hidden.own[seat]
    me.option[0] = 4
    me.option[1] = 8
    me.option[2] = 20
    sides = me.option[ask_nb(game, hidden, seat, CHOOSE_DIE, 3)]
    throw = 1 + draw_below_nb(hidden.luck, max(4, sides - game.charm[seat]))
    if hidden.recording == 1:
        if hidden.n_events < MAX_EVENTS:
            event = hidden.event[hidden.n_events]
            event[0] = game.turn
            event[1] = seat
            event[2] = sides
            event[3] = throw
        hidden.n_events += 1
    if sides == 20:
        row[HAD_TWENTY] = 1
    row[BEST] = max(row[BEST], throw)
    if throw > 1:
        game.points[seat] += throw
        row[THROWN] += throw
        return
    row[N_ONES] += 1
    row[UNLUCKY] = 1
    me.option[0] = 0
    me.option[1] = 1
    if ask_nb(game, hidden, seat, CHOOSE_CHARM, 2) == 1:
        game.points[seat] += 2
        game.charm[seat] += 1
        row[CHARMS] += 2


@kernel
def score_nb(game, rows):
    n = game.n_players
    best = 0
    for seat in range(n):
        best = max(best, game.points[seat])
    n_best = 0
    for seat in range(n):
        if game.points[seat] == best:
            n_best += 1
    for seat in range(n):
        score = game.points[seat]
        place = 1
        rival = 0
        for other in range(n):
            if game.points[other] > score:
                place += 1
            if other != seat:
                rival = max(rival, game.points[other])
        rows[seat, WIN] = WIN_UNITS // n_best if score == best else 0
        rows[seat, SCORE] = score
        rows[seat, MARGIN] = score - rival
        rows[seat, PLACE] = place
        rows[seat, SEAT + seat] = 1


@kernel
def play_blocks_nb(
    games, hiddens, address, param, table, n_table, handicap, seating, seed, first_block, first_game, n_blocks, rows
):
    game, hidden = games[0], hiddens[0]
    hidden.seed = seed
    n = game.n_players
    for i in range(n_blocks):
        hidden.block = first_block + i
        for g in range(seating.shape[0]):
            hidden.game_in_block = first_game + g
            open_stream_nb(hidden.luck, seed, hidden.block, 0, 0)
            rows[i, g, :, :] = 0
            for seat in range(n):
                entrant = seating[g, seat]
                open_stream_nb(hidden.own[seat].luck, seed, hidden.block, 1, seat)
                hidden.own[seat].seat = seat
                hidden.own[seat].table = table[entrant]
                hidden.own[seat].n_table = n_table[entrant]
                hidden.own[seat].param[:] = param[entrant]
                hidden.own[seat].memory[:] = 0
                hidden.address[seat, :] = address[entrant]
                game.points[seat] = 0
                game.charm[seat] = 0
            game.n_steps = 0
            for r in range(game.n_rounds):
                if 0 < game.step_limit <= game.n_steps:
                    rows[i, g, :, UNFINISHED] = 1
                    break
                game.turn = r
                for seat in range(n):
                    turn_nb(game, hidden, seat, rows[i, g, seat])
            score_nb(game, rows[i, g])


PROVENANCE = Provenance(1, 0, 0)


@dataclasses.dataclass(frozen=True)
class ToyEdition:
    n_rounds: int = 5
    step_limit: int = 0
    name: str = "toy"
    rules: dict = dataclasses.field(default_factory=dict)
    provenance: Provenance = PROVENANCE
    withheld: tuple = ()

    @property
    def files(self):
        return {"toy.csv": f"n_rounds,step_limit\n{self.n_rounds},{self.step_limit}\n"}

    @property
    def digest(self):
        return hashlib.sha256(self.files["toy.csv"].encode()).hexdigest()


def fill_edition(edition, n_players, game):
    game.n_players = n_players
    game.n_rounds = edition.n_rounds
    game.step_limit = edition.step_limit


def columns(edition, n_players):
    return (
        Column("win", "Wins", WIN, "outcome", unit="sixtieths of a win"),
        Column("score", "Score", SCORE, "outcome", unit="points", low=0, high=99),
        Column("margin", "Margin", MARGIN, "outcome", unit="points", low=-60, high=60),
        Column("place", "Place", PLACE, "outcome", low=1, high=MAX_PLAYERS),
        Column("thrown", "Thrown", THROWN, "component", unit="points"),
        Column("had_twenty", "Threw the large die", HAD_TWENTY, "flag", "dice"),
        Column("charms", "Charms", CHARMS, "component", unit="points"),
        Column("n_ones", "Ones", N_ONES, "measure", unit="throws"),
        Column("best", "Best throw", BEST, "measure", unit="points", low=2, high=10),
        Column("unlucky", "Threw a one", UNLUCKY, "flag", "dice"),
        *([Column("unfinished", "Ended by the step limit", UNFINISHED, "flag", "end")] if edition.step_limit else []),
        *(Column(f"seat_{s}", f"Seat {s}", SEAT + s, "flag", "seat") for s in range(n_players)),
    )


def toy_spec(**changes) -> GameSpec:
    spec = GameSpec(
        game_id="toy",
        title="Toy",
        min_players=1,
        max_players=MAX_PLAYERS,
        decisions=DECISIONS,
        rule_switches=(),
        presets={},
        game_dtype=GAME,
        own_dtype=OWN,
        hidden_dtype=HIDDEN,
        n_slots=N_SLOTS,
        load_edition=lambda name, rules, withheld=(): ToyEdition(),
        fill_edition=fill_edition,
        columns=columns,
        play_blocks=play_blocks_nb,
        narrate=lambda edition, events, names, worths=None: [],
        events_as_json=lambda edition, events, names, worths=None: [],
        card_rows=lambda edition: [],
    )
    return dataclasses.replace(spec, **changes)


def cautious(game, own, n_options):
    return 0


def bold(game, own, n_options):
    return n_options - 1


def by_lot(game, own, n_options):
    return draw_below_nb(own.luck, n_options)


def from_table(game, own, n_options):
    """Answer what the table says about this turn; without a table, the first option."""
    if own.n_table == 0 or own.decision == CHOOSE_CHARM:
        return own.param[0]
    return array_at(own.table, own.n_table)[game.turn % own.n_table]


def far_out(game, own, n_options):
    if game.turn == 3 and own.decision == 0:
        return 7
    return 0


def raises(game, own, n_options):
    if game.turn == 2:
        raise ValueError("cannot decide")
    return 0


def unlucky(game, own, n_options):
    """Divide by zero about once in 3000 decisions."""
    return 0 // draw_below_nb(own.luck, 3000)


def never_answers(game, own, n_options):
    """Answer, but about once in 3000 decisions go on thinking for ever."""
    while draw_below_nb(own.luck, 3000) == 0 or own.memory[1] == 1:
        own.memory[1] = 1
    return 0


@dataclasses.dataclass
class Toys:
    """Compiles each toy strategy once."""

    made: dict = dataclasses.field(default_factory=dict)

    def __call__(self, function: Callable[..., int], name: str = "") -> Entrant:
        if function not in self.made:
            self.made[function] = compile_decision(function, GAME, OWN, cached=False)
        address, owner = self.made[function]
        where = f"toy_game.py:{function.__code__.co_firstlineno}"
        return Entrant(
            name=name or function.__name__,
            address=np.full(N_DECISIONS, address, np.uint64),
            param=np.zeros(MAX_PARAMS, np.int64),
            table=np.zeros(0, np.int64),
            location=(where,) * N_DECISIONS,
            owners=owner,
        )


toys = Toys()
