"""The glossary: each word once, in order, and those that the tables use."""

from reports.glossary import anchor, glossary


def test_words_are_defined_once_and_in_order():
    words = list(glossary())
    assert len(set(map(str.lower, words))) == len(words)
    assert words == sorted(words, key=str.lower)
    assert all(text.endswith(".") and "  " not in text for text in glossary().values())


def test_the_words_of_the_evidence_are_there():
    assert {"Win share", "Shared win", "Margin", "Block", "Interval", "Fair share", "Holm", "Paired"} <= set(glossary())
    assert anchor("Win share") == "word-win-share"
