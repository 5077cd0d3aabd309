"""What a plan costs: bytes as people read them, and money where a price is given.

BigQuery bills on demand by the bytes that a statement reads, rounded up to whole MB of 2²⁰ bytes,
and at least 10 of them for each table; a statement that reads nothing is free:
https://cloud.google.com/bigquery/pricing#on_demand_pricing
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

_MIB = 2**20
_TIB = 2**40
_LEAST = 10
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def scan_facts(bytes_read: int | None, price: float | None) -> Iterator[tuple[str, str]]:
    """Yield a label and a text for what one scan reads and costs, where the warehouse tells."""
    if bytes_read is not None:
        yield "reads", size(bytes_read)
        if price is not None:
            yield "costs", money(billed(bytes_read), price)


def total_facts(bytes_read: Sequence[int | None], price: float | None) -> Iterator[tuple[str, str]]:
    """Yield the same for all scans together, and how the money was reckoned."""
    known = [count for count in bytes_read if count is not None]
    more = "" if len(known) == len(bytes_read) else "at least "
    if known:
        yield "reads", f"{more}{size(sum(known))}"
    if price is None:
        return
    if known:
        cost = money(sum(map(billed, known)), price)
        yield (
            "costs",
            f"{more}{cost} at {price:,g} per TiB, billed in MiB and {_LEAST} or more a scan",
        )
    elif bytes_read:
        yield "costs", "not known: this warehouse does not tell beforehand what a scan reads"


def billed(bytes_read: int) -> int:
    """Return the bytes that BigQuery bills for a scan of one table.

    >>> billed(0), billed(1) // 2**20, billed(2**30 + 1) // 2**20
    (0, 10, 1025)
    """
    return max(_LEAST, -(-bytes_read // _MIB)) * _MIB if bytes_read else 0


def money(bytes_billed: int, price: float) -> str:
    """Return what bytes cost at a price per TiB: two decimals, or two digits of a small amount.

    >>> money(2**40, 6.25), money(2**20 * 10, 6.25), money(0, 6.25)
    ('6.25', '0.000060', '0.00')
    """
    amount = bytes_billed / _TIB * price
    decimals = 2 if amount == 0 else max(2, 1 - math.floor(math.log10(amount)))
    return f"{amount:,.{decimals}f}"


def size(count: int) -> str:
    """Return bytes in the largest unit that fits, and exactly.

    >>> size(999), size(1024), size(5 * 2**40 + 2**39)
    ('999 bytes', '1.0 KiB (1,024 bytes)', '5.5 TiB (6,047,313,952,768 bytes)')
    """
    place = min(max(count.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    exact = f"{count:,} bytes"
    return f"{count / 1024**place:,.1f} {_UNITS[place]} ({exact})" if place else exact
