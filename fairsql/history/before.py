"""What is known of a history's place before anything has run: that nothing can be kept there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fairsql.errors import ConfigurationError
from fairsql.files import same_file

if TYPE_CHECKING:
    from fairsql.warehouses import Warehouse

# What DuckDB takes for memory, another kind of database or a place in the network.
_NO_FILE = re.compile(r":|[A-Za-z][A-Za-z0-9+.-]+:")


@runtime_checkable
class _InFiles(Protocol):
    def files(self) -> tuple[str, ...]:
        """Return the files of the databases that are open or attached."""


@runtime_checkable
class _WithSchemas(Protocol):
    def has_schema(self, schema: str, /) -> bool:
        """Return whether a schema exists."""


def warehouse_files(warehouse: Warehouse) -> tuple[str, ...]:
    """Return the files that an open warehouse is in: those of DuckDB's databases."""
    return warehouse.files() if isinstance(warehouse, _InFiles) else ()


def check_file(path: Path, warehouse: Warehouse | None) -> None:
    """Complain of a history that is no file, or the file that the tests are run on.

    Raises
    ------
    ConfigurationError
        When it is.
    """
    if _NO_FILE.match(str(path)):
        raise ConfigurationError(
            "history: must be a DuckDB file, such as history.duckdb, or warehouse:schema.table,"
            f" but is {str(path)!r}."
        )
    if warehouse and any(same_file(path, file) for file in warehouse_files(warehouse)):
        raise ConfigurationError(
            f"history: {str(path)!r} is the database that the tests read, and is open; to keep the"
            " history in it, write warehouse:fairsql_history."
        )


def check_schema(table: str, warehouse: Warehouse) -> None:
    """Complain of a table whose schema does not exist, where the warehouse tells.

    Raises
    ------
    ConfigurationError
        When it does not.
    """
    schema, _, name = table.rpartition(".")
    if schema and isinstance(warehouse, _WithSchemas) and not warehouse.has_schema(schema):
        raise ConfigurationError(
            f"history: there is no schema {schema!r} in {warehouse.name}; create it, or write"
            f" warehouse:{name}."
        )
