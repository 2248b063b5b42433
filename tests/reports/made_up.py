"""Made-up results in the shape of real ones: what the report must cope with, without playing a game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd

from analysis.intervals import ONCE
from analysis.tables import COLUMNS, frame
from analysis.unfolding import tables_of
from simcore.contract import WIN_UNITS, Column
from simcore.sums import STRETCH_ENDS
from simcore.unfolding import sum_up

FOUR = ["dwerg-rush", "early-uline", "planner", "greedy"]
LONG = "blacksmiths-and-miners-with-late-coins-" + "x"


def names_of(n: int) -> list[str]:
    """Return `n` names; every fifth is 40 characters long."""
    return [(f"{LONG[:37]}{i:03d}" if i % 5 == 4 else f"strategy-{i + 1}") for i in range(n)]


HEROES = (
    *("Kraal the Venal", "Tarah Lethal Strike", "Aral Eagle Claws", "Dagda the Explosive", "Zoral the Foreman"),
    *("Lokdur Greedy Heart", "Aegur Fist of Steel", "Bonfur the Tyrannical", "Hourya the Elusive", "Idunn the Furtive"),
    *("Dwerg Ymir", "Dwerg Aesir", "Dwerg Sigmir", "Dwerg Jungir", "Dwerg Bergelmir", "Skaa the Unfathomable"),
    *(
        "Astrid the Fortunate",
        "Grid the Mercantile",
        "Uline the Seer",
        "Ylud the Unpredictable",
        "Thrud the Headhunter",
    ),
)
DISTINCTIONS = ("The King's Hand", "Hunting Master", "Crown Jeweler", "King's Great Armorer", "Pioneer of the Kingdom")
COMPONENTS = ("warrior", "hunter", "miner", "blacksmith", "explorer", "neutral", "coins", "gem")
COMPONENT_TITLES = ("Warriors", "Hunters", "Miners", "Blacksmiths", "Explorers", "Neutral heroes", "Coins", "Gem")
MAX_DEALT = 5
"""Seats of a table, however many strategies a result is about."""
COMPONENT_MEANS = np.array([38.0, 32.0, 27.0, 41.0, 39.0, 24.0, 41.0, 3.0])


def columns(n_seats: int, n_rounds: int = 6) -> tuple[Column, ...]:
    """Return the columns of a game like Nidavellir."""
    out = [
        ("win", "Win share", "outcome", "", "sixtieths of a win", 0, 60),
        ("score", "Score", "outcome", "", "points", 0, 1023),
        ("margin", "Margin", "outcome", "", "points", -400, 400),
        ("place", "Place", "outcome", "", "", 1, 5),
    ]
    out += [(c, t, "component", "", "points", 0, 0) for c, t in zip(COMPONENTS, COMPONENT_TITLES, strict=True)]
    out += [("n_heroes", "Heroes", "measure", "", "cards", 0, 0), ("n_lines", "Lines", "measure", "", "lines", 0, 0)]
    classes = zip(COMPONENTS[:5], COMPONENT_TITLES[:5], strict=True)
    out += [(f"rank_{c}", t, "measure", "ranks", "ranks", 0, 0) for c, t in classes]
    titles = ["Coins at the start", *(f"Coins after round {i + 1}" for i in range(n_rounds))]
    out += [(f"coins_round_{i}", t, "measure", "coins_by_round", "coins", 0, 0) for i, t in enumerate(titles)]
    out += [(f"hero_{i}", h, "flag", "hero", "", 0, 1) for i, h in enumerate(HEROES)]
    out += [(f"distinction_{i}", d, "flag", "distinction", "", 0, 1) for i, d in enumerate(DISTINCTIONS)]
    out += [(f"gem_{i}", f"Gem {i + 2}", "flag", "gem", "", 0, 1) for i in range(min(n_seats, MAX_DEALT))]
    out += [(f"seat_{i}", f"Seat {i + 1}", "flag", "seat", "", 0, 1) for i in range(min(n_seats, MAX_DEALT))]
    return tuple(Column(n, t, i, k, g, u, lo, hi) for i, (n, t, k, g, u, lo, hi) in enumerate(out))


CLASSES = zip(COMPONENTS[:5], COMPONENT_TITLES[:5], strict=True)
STANDING_COLUMNS = (
    Column("score", "score", 0, "outcome", "score_by_round", "points"),
    Column("lead", "share of the lead", 1, "outcome", "lead", "sixtieths of a win"),
    Column("n_lines", "lines", 2, "measure", "lines_by_round", "lines"),
    *(Column(f"rank_{c}", t, 3 + i, "measure", "ranks_by_round", "ranks") for i, (c, t) in enumerate(CLASSES)),
)


def unfolding_tables(entrants: list[str], seats: list[str], n_blocks: int, seed: int = 7, n_rounds: int = 6):
    """Return the tables of a made-up sample: scores that grow at random."""
    rng = np.random.default_rng(seed)
    n = len(seats)
    numbers = np.array([entrants.index(name) for name in seats])
    seating = np.array([np.roll(numbers, -g) for g in range(n if len(entrants) > 1 else 1)])
    shape = (n_blocks, len(seating), n_rounds, n)
    gains = rng.poisson(30 + 3 * (seating[None, :, None, :] % 5), shape)
    scores = gains.cumsum(axis=2)
    best = scores == scores.max(axis=-1, keepdims=True)
    lead = best * (WIN_UNITS // best.sum(axis=-1, keepdims=True))
    more = [rng.integers(0, 3, shape).cumsum(axis=2) for _ in STANDING_COLUMNS[2:]]
    copies = [seats.count(name) for name in entrants]
    sample = sum_up(np.stack([scores, lead, *more], axis=-1), seating, len(entrants))
    return tables_of(sample, STANDING_COLUMNS, tuple(entrants), copies, ONCE)


BY_OUTCOME = {f"mean_{outcome}{end}" for outcome in ("won", "lost") for end in ("", "_se", "_low", "_high")}


def _names(table: str, without: frozenset[str] | set[str] = frozenset()) -> list[str]:
    return [column for column, _, _ in COLUMNS[table] if column not in without]


def _typed(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the columns and dtypes of `analysis.tables`; p values follow the intervals."""
    rows = []
    for record in table.to_dict("records"):
        row = dict.fromkeys((c for c, _, _ in COLUMNS[name]), None) | record
        if name.startswith("flags"):
            ends = row["difference_low"], row["difference_high"]
            row["p"] = None if pd.isna(ends[0]) else 1e-6 if ends[0] > 0 or ends[1] < 0 else 0.4
            row["p_holm"] = row["p"]
        rows.append({k: None if pd.isna(v) else v for k, v in row.items()})
    return frame(name, rows)


def make(names: list[str], n_games: int = 100_000, n_seats: int | None = None, seed: int = 7, one_block: bool = False):
    """Return ``(result, tables)`` for strategies called `names`: a stand-in for a run and its tables."""
    rng = np.random.default_rng(seed)
    seats = [names[i % len(names)] for i in range(max(n_seats or 0, len(names), 2))]
    entrants = list(dict.fromkeys(seats))
    copies = np.array([seats.count(e) for e in entrants])
    n_seats, k = len(seats), len(entrants)
    per_block = 1 if k == 1 else n_seats
    n_blocks = 1 if one_block else -(-n_games // per_block)
    n_games = n_blocks * per_block
    strength = np.exp(rng.normal(0, 0.5, k))
    share = strength / (strength * copies).sum()
    z = 1.96
    na = pd.NA

    def interval(mean, se):
        return (na, na, na) if one_block else (se, mean - z * se, mean + z * se)

    def outcome(mean):
        """A mean over some of the games: estimate, standard error, ends."""
        return (na,) * 4 if mean is na else (mean, *interval(mean, 0.3))

    summary, components, measures, flags, scores, pairs = [], [], [], [], [], []
    order = np.argsort(-share)
    parts = {}
    for e, name in enumerate(entrants):
        n = n_games * copies[e]
        part = COMPONENT_MEANS * rng.uniform(0.6, 1.5, 8) * (0.8 + share[e])
        parts[e] = part
        mean, sd = part.sum(), 26 + 8 * rng.random()
        se, low, high = interval(share[e], np.sqrt(share[e] * (1 - share[e]) / n))
        sse, slow, shigh = interval(mean, sd / np.sqrt(n))
        summary.append(
            (
                *(
                    name,
                    int(copies[e]),
                    n_games,
                    n_blocks,
                    share[e],
                    se,
                    low,
                    high,
                    1 / n_seats,
                    mean,
                    sse,
                    slow,
                    shigh,
                ),
                *(sd, *outcome(mean * 1.12), *outcome(na if share[e] >= 1 else mean * 0.95)),
                *(mean - 250, sse, slow if one_block else slow - 250, shigh if one_block else shigh - 250),
            )
        )
        for c, (cid, title) in enumerate(zip(COMPONENTS, COMPONENT_TITLES, strict=True)):
            cse, clow, chigh = interval(part[c], 12 / np.sqrt(n))
            lost = na if share[e] >= 1 else part[c] * 0.95
            components.append((name, cid, title, part[c], cse, clow, chigh, *outcome(part[c] * 1.12), *outcome(lost)))
        for col in columns(n_seats):
            if col.kind == "measure":
                m = 3.0 + rng.random()
                if col.group == "coins_by_round":
                    m = 14 + int(col.name.removeprefix("coins_round_")) * (m - 1)
                mse, mlow, mhigh = interval(m, 2 / np.sqrt(n))
                measures.append((name, col.name, col.group, col.title, col.unit, m, mse, mlow, mhigh, 2.0))
        bins = np.arange(int(mean - 4 * sd), int(mean + 4 * sd))
        p = np.exp(-0.5 * ((bins - mean) / sd) ** 2)
        count = np.round(p / p.sum() * n).astype(int)
        scores += [(name, int(b), int(q), q / n, q * share[e]) for b, q in zip(bins, count, strict=True) if q]
    margins, places = [], []
    for e, name in enumerate(entrants):
        wins = max(0.02, min(0.98, share[e]))
        steps = np.arange(-80, 41)
        p = np.where(steps > 0, wins * np.exp(-steps / 12) / 12, (1 - wins) * np.exp(np.minimum(steps, 0) / 25) / 25)
        margins += [(name, int(m), round(q * n_games * copies[e]), q) for m, q in zip(steps, p / p.sum(), strict=True)]
        for place in range(1, min(n_seats, MAX_DEALT) + 1):
            p = wins if place == 1 else (1 - wins) / max(1, min(n_seats, MAX_DEALT) - 1)
            places.append((name, place, round(p * n_games * copies[e]), p))
    for who in [*range(k), -1]:
        n = n_games * (n_seats if who < 0 else copies[who])
        base = 1 / n_seats if who < 0 else share[who]
        for col in columns(n_seats):
            if col.kind != "flag":
                continue
            rate = 1 / min(n_seats, MAX_DEALT) if col.group in ("gem", "seat") else rng.uniform(0.01, 0.5)
            # a hero that nobody took has no win share: not determined
            never = col.name == "hero_13" and who >= 0
            rate = 0.0 if never else rate
            effect = 0 if col.group == "seat" else rng.normal(0.04, 0.06)
            with_ = na if never else min(0.99, max(0.01, base + effect))
            without = base if never else max(0.0, base - effect * rate)
            h = 1 / np.sqrt(max(1, n * rate)) * 0.8
            d = na if never else with_ - without
            ci = (na,) * 4 if one_block or never else (with_ - h, with_ + h, d - h, d + h)
            rate_ci = (na, na) if one_block else (max(0.0, rate - 0.002), rate + 0.002)
            flags.append(
                (
                    *("all" if who < 0 else entrants[who], col.group, col.name, col.title, int(rate * n)),
                    *(rate, *rate_ci, with_, *ci[:2], without, d, *ci[2:]),
                )
            )
    for i in range(k):
        for j in range(i + 1, k):
            a, b = order[i], order[j]
            d = share[a] - share[b]
            se, low, high = interval(d, 0.0025)
            points = parts[a].sum() - parts[b].sum()
            _, slow, shigh = interval(points, 0.2)
            clear = False if one_block else bool(abs(d) > 2.6 * 0.0025)
            p = na if one_block else float(min(1.0, np.exp(-((d / 0.0025) ** 2) / 2)))
            pairs.append((entrants[a], entrants[b], d, se, low, high, p, p, clear, points, slow, shigh))
    flag_table = pd.DataFrame(flags, columns=_names("flags", {"p", "p_holm", "score_with", "score_without", "note"}))
    frames = {
        "summary": pd.DataFrame(
            summary,
            columns=_names("summary", {"note"}),
        ),
        "components": pd.DataFrame(components, columns=_names("components", {"note"})),
        "measures": pd.DataFrame(measures, columns=_names("measures", {"note", *BY_OUTCOME})),
        "flags": flag_table[flag_table["strategy"] != "all"].reset_index(drop=True),
        "flags_all": flag_table[flag_table["strategy"] == "all"].reset_index(drop=True),
        "scores": pd.DataFrame(scores, columns=_names("scores")),
        "margins": pd.DataFrame(margins, columns=_names("margins")),
        "places": pd.DataFrame(places, columns=_names("places")),
        "pairs": pd.DataFrame(
            pairs,
            columns=_names("pairs", {"blocks_to_settle", "note"}),
        ),
    }
    frames = {name: _typed(name, table) for name, table in frames.items()}
    if n_seats <= MAX_DEALT:
        frames |= unfolding_tables(entrants, seats, 1 if one_block else 100)
    manifest = {
        "format": 1,
        "tafl_version": "0.1.0",
        "engine": "3f9a0c21d4",
        "game": "nidavellir",
        "title": "Nidavellir",
        "n_players": n_seats,
        "lineup": seats,
        "entrants": [
            {
                "name": e,
                "kind": "parameters" if i % 2 else "policy",
                "idea": "Takes the card that adds most to its final score, and bids what that card is worth to it.",
                "source": "the primer, <section 3>",
                "params": {"w_line": 18, "denial": 3} if i % 2 else {},
                "files": [f"{e}.py"],
            }
            for i, e in enumerate(entrants)
        ],
        "seating": "rotations",
        "n_games_per_block": per_block,
        "n_blocks": n_blocks,
        "n_games": n_games,
        "seed": 7,
        "edition": {
            "name": "official",
            "digest": "ab" * 32,
            "rules": {"exchange_gives_up": "bronze", "warrior_majority": "largest_coin"},
            "provenance": {"sourced": 120, "inferred": 3, "assumed": 0},
            "sentence": "Of 123 table rows 98 % are sourced, 2 % inferred and 0 % assumed (stand-ins).",
        },
    }
    course_n = np.diff(np.minimum(STRETCH_ENDS, n_blocks), prepend=0)
    course_win = np.rint(np.outer(share * copies, 60 * per_block * course_n)).astype(int)
    sums = {"course_n": course_n, "course_win": course_win}
    sums["course_square"] = course_win**2 // np.maximum(course_n, 1) + 900 * per_block * course_n
    result = SimpleNamespace(
        manifest=manifest,
        sums=sums,
        columns=columns(n_seats),
        names=tuple(entrants),
        copies=copies,
        n_seats=n_seats,
        games_per_block=per_block,
        n_blocks=n_blocks,
        n_games=n_games,
        complete=True,
        stopped=None,
        n_unfinished=0,
        folder=None,
    )
    return result, frames
