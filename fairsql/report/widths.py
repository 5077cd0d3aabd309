"""How wide text of the data is in a chart, so that names are cut by us and not by Vega.

Vega's own ``limit`` cuts between any two UTF-16 units. Half of a character beyond U+FFFF is no
text, and no chart can be drawn of it.
"""

from __future__ import annotations

from rich.cells import cell_len

from fairsql.report.words import shortened

# Widths in ems of a sans-serif font, a little more than the common ones have.
_NARROW, _USUAL, _CAPITAL, _WIDE, _SQUARE, _PICTURE = 0.36, 0.58, 0.72, 0.96, 1.0, 1.35
_THIN = frozenset(" !'()*,-./:;I[\\]`fijlrt{|}")
_BROAD = frozenset("@%&MWmw…")
_FIRST_PICTURE, _FIRST_IDEOGRAPH = "\u2000", "\u2e80"


def pixels(text: str, size: float) -> float:
    """Return how wide text is at a font size, as near as one can tell without the font.

    >>> pixels("ill", 10) < pixels("sea", 10) < pixels("WWW", 10) < pixels("😀😀😀", 10)
    True
    """
    return size * sum(map(_ems, text))


def shortened_to(text: str, room: float, size: float) -> str:
    """Return text that is no wider than ``room`` pixels, cut in the middle between characters.

    >>> shortened_to("Customers who like us", 80, 12), shortened_to("F", 80, 12)
    ('Custo…ke us', 'F')
    """
    if pixels(text, size) <= room:
        return text
    cells = min(cell_len(text), int(room / (size * _NARROW)))
    found = shortened(text, cells)
    while cells > 1 and pixels(found, size) > room:
        cells -= 1
        found = shortened(text, cells)
    return found


def _ems(character: str) -> float:
    cells = cell_len(character)
    if cells == 0:
        return 0.0
    is_beyond = character > "\uffff"
    if cells == 2:
        is_picture = _FIRST_PICTURE <= character < _FIRST_IDEOGRAPH or is_beyond
        return _PICTURE if is_picture else _SQUARE
    if character in _THIN:
        return _NARROW
    if character in _BROAD or is_beyond:
        return _WIDE
    return _CAPITAL if character.isupper() else _USUAL
