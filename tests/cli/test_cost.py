"""What a plan would read and cost, and the limits that the command line sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from tests.cli.samples import DATA, call, suite_of
from tests.warehouses.bigquery_stub import stub

if TYPE_CHECKING:
    from click.testing import Result

TIB = 1_099_511_627_776
PRICE = ("--price-per-tib", "6.25")


TABLES: dict[str, Any] = {
    "schema": [{"name": "sex", "type": "STRING"}, {"name": "approved", "type": "INTEGER"}],
    "tables": ["p.d.loans", "p.d.calls", "p.d.fair"],
}


def planned(bytes_read: int, *options: str, suite: str = "one.yml", **settings: Any) -> Result:
    Path("one.yml").write_text(suite_of(*["loans"] * 50))
    Path("two.yml").write_text(suite_of("loans", "calls", "loans"))
    with stub(**TABLES, bytes_read=bytes_read) as (told, address):
        result = call("plan", suite, "--connection", url(address), *options, **settings)
    assert not told.started
    return result


def url(api_endpoint: str) -> str:
    return f"bigquery://p/d?api_endpoint={api_endpoint}"


def facts(result: Result, block: str) -> dict[str, str]:
    """Return the labels and texts of the last block of this name."""
    assert result.exit_code == 0, result.output
    (lines,) = [part.splitlines() for part in result.stdout.split("\n\n") if part.startswith(block)]
    return dict(line.strip().split(maxsplit=1) for line in lines[1:] if len(line.split()) > 1)


def test_fifty_tests_of_one_table_read_it_once() -> None:
    result = planned(123_456_789_012)
    assert result.stdout.startswith("1 scan for 50 tests\n")
    assert facts(result, "scan 1")["reads"] == "115.0 GiB (123,456,789,012 bytes)"
    assert facts(result, "in all") == {"reads": "115.0 GiB (123,456,789,012 bytes)"}


def test_scans_are_summed() -> None:
    result = planned(3 * TIB // 2, *PRICE, suite="two.yml")
    for scan in ("scan 1", "scan 2"):
        assert facts(result, scan)["reads"] == "1.5 TiB (1,649,267,441,664 bytes)"
        assert facts(result, scan)["costs"] == "9.38"  # 9.375
    total = facts(result, "in all")
    assert total["reads"] == "3.0 TiB (3,298,534,883,328 bytes)"
    assert total["costs"].startswith("18.75 at 6.25 per TiB")


# 10 MiB, the least that is billed for a table, are 1/104,857.6 of a TiB; 11 MiB a tenth more.
@pytest.mark.parametrize(
    ("bytes_read", "cost"),
    [
        (0, "0.00"),
        (1, "0.000060"),
        (10 * 2**20, "0.000060"),
        (10 * 2**20 + 1, "0.000066"),
        (2**40, "6.25"),
        (2**40 + 1, "6.25"),
        (1_000 * 2**40, "6,250.00"),
    ],
)
def test_money_is_reckoned_as_bigquery_bills(bytes_read: int, cost: str) -> None:
    assert facts(planned(bytes_read, *PRICE), "scan 1")["costs"] == cost


def test_the_price_may_stand_in_the_environment() -> None:
    result = planned(TIB, env={"FAIRSQL_PRICE_PER_TIB": "7.5"})
    assert facts(result, "in all")["costs"].startswith("7.50 at 7.5 per TiB")


def test_what_a_warehouse_does_not_tell_is_said_where_it_was_asked() -> None:
    assert "in all" not in call("plan", "passed.yml", *DATA).stdout
    result = call("plan", "passed.yml", *DATA, *PRICE)
    assert facts(result, "in all")["costs"].startswith("not known")


def test_a_statement_that_bigquery_refuses_is_an_error() -> None:
    said = "Unrecognized name: approvd at [3:1]"
    # The connection is tried first; the statement's dry run is what is refused.
    with stub(**TABLES, refusals=[None, ("invalidQuery", said)]) as (_, address):
        result = call("plan", "passed.yml", "--connection", url(address))
    assert (result.exit_code, result.stderr) == (4, f"Error: BigQuery says: {said}.\n")


@pytest.mark.parametrize("command", ["run", "plan", "debug", "init"])
@pytest.mark.parametrize(
    "option",
    [
        "--timeout=0",
        "--timeout=-1",
        "--timeout=nan",
        "--timeout=inf",
        "--timeout=soon",
        "--maximum-bytes-billed=0",
        "--maximum-bytes-billed=-1",
        "--maximum-bytes-billed=1.5",
    ],
)
def test_a_limit_that_is_none_is_a_usage_error(command: str, option: str) -> None:
    suite = ["passed.yml"] if command in ("run", "plan") else []
    result = call(command, *suite, *DATA, option)
    assert result.exit_code == 2
    assert f"Invalid value for '{option.partition('=')[0]}'" in result.stderr


@pytest.mark.parametrize("price", ["0", "-1", "nan", "free"])
def test_a_price_that_is_none_is_a_usage_error(price: str) -> None:
    assert call("plan", "passed.yml", *DATA, "--price-per-tib", price).exit_code == 2


@pytest.mark.parametrize("by", ["url", "profile"])
def test_limits_reach_the_job(by: str) -> None:
    with stub(**TABLES, rows=[]) as (told, address):
        place = {"project": "p", "dataset": "d", "api_endpoint": address}
        output = {"type": "bigquery", "method": "oauth-secrets", "token": "t", **place}
        Path("profiles.yml").write_text(json.dumps({"shop": {"outputs": {"default": output}}}))
        target = {
            "url": ["--connection", url(address)],
            "profile": ["--profiles-dir", ".", "--profile", "shop"],
        }[by]
        limits = ["--timeout", "2.5", "--maximum-bytes-billed", "123456789"]
        call("run", "passed.yml", *target, *limits)
    (job,) = told.started
    assert job["configuration"]["jobTimeoutMs"] == "2500"
    assert job["configuration"]["query"]["maximumBytesBilled"] == "123456789"
    assert job["configuration"]["labels"]["suite"] == "passed-yml"


def test_a_timeout_stops_duckdb_too() -> None:
    with duckdb.connect("slow.duckdb") as connection:
        connection.execute(
            "create view slow as select a.i % 2 as sex, hash(a.i * b.i) % 2 as approved"
            " from range(10_000_000) as a(i), range(10_000_000) as b(i)"
        )
    Path("slow.yml").write_text(suite_of("slow"))
    options = ["--connection", "duckdb:///slow.duckdb", "--timeout", "0.5"]
    result = call("run", "slow.yml", *options, env={"COLUMNS": "200"})
    assert result.exit_code == 4
    assert "stopped after 0.5 seconds" in result.output
