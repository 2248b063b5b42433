"""The gallery is made by one command; what the documentation shows was made by it, and is small."""

import re
from pathlib import Path

from reports import gallery

DOCS = Path(__file__).resolve().parents[2] / "docs"
MOST_BYTES = 2_000_000


def test_the_gallery_of_small_runs_has_every_chart(tmp_path):
    page = gallery.make_gallery(tmp_path, 24)
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"!\[([^\]]+)\]\(gallery/([\w-]+\.svg)\)", text)
    assert {name for _, name in shown} == {path.name for path in (tmp_path / "gallery").iterdir()}
    assert {"nidavellir-convergence.svg", "reavers-glory_by_round.svg", "nidavellir-hero_n_brothers.svg"} <= {
        name for _, name in shown
    }
    assert all(title for title, _ in shown)
    assert text.count("tafl compare ") == 2
    assert re.search(r"\[code\]\nstrategy +difference", text)
    with_stand_ins = (tmp_path / "gallery" / "reavers-win_share.svg").read_text(encoding="utf-8")
    assert "assumed" in with_stand_ins
    assert not re.search(r"\bnan\b|None", text)


def test_the_pictures_of_the_documentation_are_those_of_its_page_and_small():
    page = (DOCS / gallery.PAGE).read_text(encoding="utf-8")
    files = list((DOCS / gallery.PICTURES).iterdir())
    assert {path.name for path in files} == set(re.findall(r"\(gallery/([^)]+)\)", page))
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for show in gallery.SHOWS:
        assert show.command(gallery.GAMES_PLAYED) in page
