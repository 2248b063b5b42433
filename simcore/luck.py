"""Keyed, counter-based luck: every random stream is a pure function of (run seed, block, purpose, player).

Two strategies that draw different amounts of luck therefore never disturb each other's, and game number one million can
be played without the games before it. The generator is xoshiro256++ (Blackman and Vigna 2021, "Scrambled linear
pseudorandom number generators", ACM TOMS 47) seeded by SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
pseudorandom number generators") over the whole key; bounded draws are exact (Lemire 2019, "Fast random integer
generation in an interval").

A stream is ``uint64[5]``: the four words of the generator and, last, how many words were drawn.
"""

import numpy as np

from simcore.accel import contained_kernel, kernel

STREAM_SIZE = 5

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_S17, _S23, _S27, _S30, _S31, _S32 = (np.uint64(s) for s in (17, 23, 27, 30, 31, 32))
_S41, _S45, _S19 = (np.uint64(s) for s in (41, 45, 19))
_2_32 = np.uint64(1 << 32)


@kernel
def mix_nb(word):
    """Return SplitMix64's finalizer of a uint64: a bijection in which every input bit moves every output bit."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def open_stream_nb(stream, seed, block, purpose, player):
    """Start `stream` (uint64[5]) at the beginning of the stream of this key; the count of draws goes on."""
    key = mix_nb(np.uint64(seed) + _GOLDEN)
    key = mix_nb((key ^ np.uint64(block)) + _GOLDEN)
    key = mix_nb((key ^ ((np.uint64(purpose) << _S32) | np.uint64(player))) + _GOLDEN)
    for i in range(4):
        key = key + _GOLDEN
        stream[i] = mix_nb(key)


@kernel
def open_private_stream_nb(stream, seed, block, purpose, player):
    """Start a stream that is handed to a strategy: what it holds must not lead back to the key, and so to the decks.

    `mix_nb` can be inverted; a word added to its own mixture cannot (the feed-forward of Davies and Meyer).
    """
    open_stream_nb(stream, seed, block, purpose, player)
    for i in range(4):
        stream[i] = mix_nb(stream[i]) ^ stream[i]


@contained_kernel
def _step_nb(s0, s1, s2, s3):
    """Return the next word of xoshiro256++ and the four words of its state after it."""
    total = s0 + s3
    result = ((total << _S23) | (total >> _S41)) + s0
    t = s1 << _S17
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    s1 = s1 ^ s2
    s0 = s0 ^ s3
    s2 = s2 ^ t
    s3 = (s3 << _S45) | (s3 >> _S19)
    return result, s0, s1, s2, s3


@kernel
def next_word_nb(stream):
    """Return the next uint64 of the stream (xoshiro256++)."""
    result, stream[0], stream[1], stream[2], stream[3] = _step_nb(stream[0], stream[1], stream[2], stream[3])
    stream[4] += _ONE
    return result


@kernel
def draw_below_nb(stream, n):
    """Return an exactly uniform int64 in [0, n) for 1 <= n < 2**32."""
    bound = np.uint64(n)
    product = (next_word_nb(stream) >> _S32) * bound
    low = product & _LOW_32
    if low < bound:
        threshold = (_2_32 - bound) % bound
        while low < threshold:
            product = (next_word_nb(stream) >> _S32) * bound
            low = product & _LOW_32
    return np.int64(product >> _S32)


@contained_kernel
def draw_next_nb(s0, s1, s2, s3, n_draws, n):
    """Draw like `draw_below_nb` from a stream whose words are given; return the draw and the words after it.

    For many draws at once: each word waits for the one before, and through memory that takes twice as long.
    """
    bound = np.uint64(n)
    word, s0, s1, s2, s3 = _step_nb(s0, s1, s2, s3)
    n_draws += _ONE
    product = (word >> _S32) * bound
    if (product & _LOW_32) < bound:
        threshold = (_2_32 - bound) % bound
        while (product & _LOW_32) < threshold:
            word, s0, s1, s2, s3 = _step_nb(s0, s1, s2, s3)
            n_draws += _ONE
            product = (word >> _S32) * bound
    return np.int64(product >> _S32), s0, s1, s2, s3, n_draws


@kernel
def shuffle_nb(stream, items, first, stop):
    """Shuffle ``items[first:stop]`` in place (Fisher-Yates)."""
    s0, s1, s2, s3, n_draws = stream[0], stream[1], stream[2], stream[3], stream[4]
    for i in range(stop - 1, first, -1):
        drawn, s0, s1, s2, s3, n_draws = draw_next_nb(s0, s1, s2, s3, n_draws, i - first + 1)
        j = first + drawn
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
    stream[0], stream[1], stream[2], stream[3], stream[4] = s0, s1, s2, s3, n_draws
