"""Lines about what options were worth."""

from simcore.weighing import MOST_OPTIONS, in_words, with_worths


def test_each_decision_gets_its_own_worths_in_order():
    events = [{"event": "turn"}, {"event": "decision", "options": ["a", "b"]}, {"event": "decision", "options": ["c"]}]
    found = list(with_worths(iter(events), [[(1, 2.5)], []]))
    assert [event.get("worth") for event in found] == [None, [None, 2.5], [None]]


def test_the_line_has_the_best_first_and_what_the_others_lack():
    event = {"decision": "choose_bid", "options": [[0, 3, 2], [2, 3, 0], "x"], "worth": [-1.5, 2.0, None]}
    assert in_words(event, "seat 1 (a)", "points") == ["    seat 1 (a) weighs bid: 2/3/0 2.0 points, 0/3/2 3.5 less"]
    level = {"decision": "choose_card", "options": ["a", "b"], "worth": [2.0, 1.99]}
    assert in_words(level, "x", "points") == ["    x weighs card: a 2.0 points, b as much"]
    nothing = {"decision": "choose_card", "options": ["a", "b"], "worth": [-0.04, -0.3]}
    assert in_words(nothing, "x", "points") == ["    x weighs card: a 0.0 points, b 0.3 less"]
    many = {"decision": "choose", "options": list(range(10)), "worth": [float(i) for i in range(10)]}
    assert in_words(many, "a", "points")[0].endswith(f", and {10 - MOST_OPTIONS} more")
    assert in_words({"decision": "choose", "options": ["a"], "worth": [None]}, "a", "points") == []
