"""What every page is made with: the templates, the style, and files that a page carries as links."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.tables import csv_text
from reports import lights, svg, terms, theme

TEMPLATES = Path(__file__).parent / "templates"
UNQUOTED = ",:;()|/.-+*'!~@$&=?_"
"""Characters of a CSV file that a link holds as they are; a number costs no more than its digits."""


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["linked"] = terms.linked
    made.filters["lit"] = lights.lit
    return made


def page_of(template: str, **content: Any) -> str:
    """Return a page as HTML text: `content` in a template, with the style, the script and the glossary."""
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8").replace("/*dark-variables*/", svg.dark_variables())
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template(template)
        .render(style=Markup(style), script=Markup(script), glossary=terms.entries(), **content)
    )


def csv_link(table: pd.DataFrame) -> str:
    """Return a link that carries a table as a CSV file."""
    return "data:text/csv;charset=utf-8," + quote(csv_text(table), safe=UNQUOTED)


def json_link(text: str) -> str:
    """Return a link that carries a JSON file."""
    return "data:application/json;charset=utf-8," + quote(text, safe=UNQUOTED)


def as_json(data: Mapping[str, Any]) -> str:
    """Return what a manifest holds, to be read."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)


def colour_variables(styles: Mapping[str, theme.Style]) -> dict[str, str]:
    """Return each strategy's colour as CSS that a dark page can turn."""
    return {name: f"var(--c{style.colour[1:]},{style.colour})" for name, style in styles.items()}
