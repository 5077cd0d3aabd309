"""A run as one HTML file: no network, no fonts of others, and readable with scripts off."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fairsql.report.html.page import page

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

    from fairsql.records import Past
    from fairsql.results import Run

_FOLDER = Path(__file__).resolve().parent


def render_html(run: Run, history: Sequence[Past] = ()) -> str:
    """Return a run's report: a page that holds all it needs.

    With a history it shows each test's measurements over time, up to the run.

    Text of the data is escaped, and the page's own policy lets no script run but its own, which it
    knows by hash. The page asks the network for nothing.
    """
    script, style = (_text(name) for name in ("report.js", "report.css"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    template = _environment().get_template("report.html.jinja")
    text = template.render(page=page(run, history), script=script, style=style, script_hash=digest)
    # A lone surrogate, as a broken file name may hold, is no text that UTF-8 can write.
    return text.encode("utf-8", "backslashreplace").decode()


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["text"] = _element_text
    environment.filters["attribute"] = _attribute_text
    return environment


def _element_text(text: str) -> Markup:
    """Escape text for the inside of an element, where quotes are quotes: SQL is full of them."""
    from markupsafe import Markup

    return Markup(html.escape(text, quote=False))  # noqa: S704 - escaped


def _attribute_text(text: str) -> Markup:
    """Escape text for an attribute that is read back: HTML takes a bare carriage return for LF."""
    from markupsafe import Markup

    return Markup(html.escape(text).replace("\r", "&#13;"))  # noqa: S704 - escaped


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
