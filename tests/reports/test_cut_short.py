"""Games that their step limit ended are never dropped silently."""

from made_up import make

from reports import page, words
from reports.terminal import print_result


def test_the_sentence():
    assert words.cut_short(0, 100) == []
    [one] = words.cut_short(1, 100)
    assert one == "1 of 100 games was ended by the step limit and counts with the scores as they stood then."
    [many] = words.cut_short(1234, 10_000)
    assert many.startswith("1\u202f234 of 10\u202f000 games were ended by the step limit and count ")


def test_it_is_printed_and_stands_in_the_report(capsys):
    result, tables = make(["planner", "greedy"])
    result.n_unfinished = 3
    print_result(result, tables)
    told = "games were ended by the step limit"
    assert told in " ".join(capsys.readouterr().out.split())
    assert told in page.render(result, tables, [], None)
