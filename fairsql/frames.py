"""A result's groups as a table of pandas, polars or pyarrow, none of which fairsql depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from fairsql.records import BOUND_FIELDS, GROUP_FIELDS, PLACE_FIELDS, group_record

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from fairsql.records import Kind
    from fairsql.results import GroupResult


_FIELDS: dict[str, Kind] = {**GROUP_FIELDS, "metric": "text", **PLACE_FIELDS, **BOUND_FIELDS}
_BEYOND = 2**63


class Groups(tuple["GroupResult", ...]):
    """The groups of a result: a tuple that can also be had as a table; so can a slice of it.

    A table has a row for each group. Its columns are the attributes by their names (with ``key_``
    before a name that another column has, as often as it takes), then the fields of a group; the
    interval's bounds are ``interval_low`` and ``interval_high``, those of an approximate value
    ``value_least`` and ``value_greatest``, and a stratum is JSON text.
    Undefined is null, never NaN. A
    column of counts beyond 64 bits is one of floating point numbers.
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> GroupResult: ...

    @overload
    def __getitem__(self, place: slice, /) -> Groups: ...

    def __getitem__(self, place: SupportsIndex | slice, /) -> GroupResult | Groups:
        """Return a group, or some of them, which are a table as well."""
        if isinstance(place, slice):
            return Groups(super().__getitem__(place))
        return super().__getitem__(place)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame of pandas, with types that know null.

        Raises
        ------
        PackageMissingError
            When pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise _missing("to_pandas", "pandas", error) from None
        types = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}
        columns, kinds = self._columns()
        return pandas.DataFrame(
            {
                name: pandas.array(values, dtype=types[kinds[name]])  # type: ignore[call-overload]
                for name, values in columns.items()
            }
        )

    def to_polars(self) -> polars.DataFrame:
        """Return a data frame of polars.

        Raises
        ------
        PackageMissingError
            When polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise _missing("to_polars", "polars", error) from None
        types = {
            "text": polars.String,
            "integer": polars.Int64,
            "number": polars.Float64,
            "boolean": polars.Boolean,
        }
        columns, kinds = self._columns()
        return polars.DataFrame(
            columns, schema={name: types[kind] for name, kind in kinds.items()}, strict=False
        )

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of pyarrow.

        Raises
        ------
        PackageMissingError
            When pyarrow is not installed.
        """
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("to_arrow", "pyarrow", error) from None
        types = {
            "text": pyarrow.string(),
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "boolean": pyarrow.bool_(),
        }
        columns, kinds = self._columns()
        schema = pyarrow.schema([(name, types[kind]) for name, kind in kinds.items()])
        return pyarrow.table(columns, schema=schema)

    def _columns(self) -> tuple[dict[str, list[Any]], dict[str, Kind]]:
        """Return the values of each column, and its kind."""
        named: dict[str, str] = {}
        for attribute in self[0].key if self else ():
            name = attribute
            while name in _FIELDS or name in named.values():
                name = f"key_{name}"
            named[attribute] = name
        kinds: dict[str, Kind] = {**dict.fromkeys(named.values(), "text"), **_FIELDS}
        rows = [
            {
                **group_record(group),
                "metric": group.metric,
                **{named[name]: value for name, value in group.key.items()},
            }
            for group in self
        ]
        for name, kind in kinds.items():
            if kind == "integer" and any(abs(row[name] or 0) >= _BEYOND for row in rows):
                kinds[name] = "number"
        return {name: [_plain(row[name], kinds[name]) for row in rows] for name in kinds}, kinds


class GroupsField:
    """The field of a record that takes any tuple of groups and holds :class:`Groups`."""

    @overload
    def __get__(self, record: None, owner: type) -> GroupsField: ...

    @overload
    def __get__(self, record: object, owner: type) -> Groups: ...

    def __get__(self, record: object | None, owner: type) -> GroupsField | Groups:
        if record is None:
            raise AttributeError("groups")  # so that the field has no default
        found: Groups = vars(record)["groups"]
        return found

    def __set__(self, record: object, groups: tuple[GroupResult, ...]) -> None:
        vars(record)["groups"] = Groups(groups)


def _missing(method: str, package: str, error: ImportError) -> Exception:
    from fairsql.errors import PackageMissingError

    return PackageMissingError(method, package, error)


def _plain(value: Any, kind: Kind) -> Any:
    if isinstance(value, str):
        # Half of a surrogate pair is no text for pyarrow and polars.
        return value.encode(errors="backslashreplace").decode()
    return float(value) if kind == "number" and value is not None else value
