"""What prompts to make: templates, the dimensions they vary in, and names that carry a group.

A template is text with placeholders, as in ``Write a reference for {name}, a {gender} engineer.``;
a brace of the text itself is written twice. Of each dimension that a template has a place for, all
groups are put there in turn while everything else stays as it is.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from fairsql.config.documents import Document, Place, read_document
from fairsql.config.fields import LIST, Allowed, Name, Text
from fairsql.config.messages import Report, meant_key, shown, unknown_key
from fairsql.errors import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

REFERENCE = "reference"
"""The role of the group that the others of its dimension are compared with."""

MOST_REPEATS = 1000


def _numbered(value: object) -> object:
    """Give each template without an id that of its place, such as t2."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple):
        return value
    items = [{"prompt": item} if isinstance(item, str) else item for item in value]
    return tuple(
        {"id": f"t{place}", **item} if isinstance(item, Mapping) else item
        for place, item in enumerate(items, 1)
    )


class Template(BaseModel):
    """A prompt with placeholders, and what it is called in the rows made of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Annotated[Name, Field(description="What rows call the template; t1, t2, … by default.")]
    prompt: Annotated[
        Text,
        Allowed("a text with placeholders such as {name}"),
        Field(description="The prompt, with placeholders in braces."),
    ]

    def placeholders(self) -> tuple[str, ...]:
        """Return the names in braces, each once, in the order of the text.

        Raises
        ------
        ValueError
            When a brace is left open, or holds more than a name.
        """
        names: dict[str, None] = {}
        for _, name, form, conversion in string.Formatter().parse(self.prompt):
            if name is None:
                continue
            if form or conversion or not name.isidentifier():
                raise ValueError(
                    f"has {{{name}{'!' + conversion if conversion else ''}"
                    f"{':' + form if form else ''}}}, which is no name in braces; a brace of the"
                    " text itself is written twice."
                )
            names[name] = None
        return tuple(names)

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the prompt with its placeholders filled; values are put in as they are."""
        parts = string.Formatter().parse(self.prompt)
        return "".join(text + ("" if name is None else values[name]) for text, name, *_ in parts)


Groups = Annotated[tuple[Name, ...], LIST, Field(min_length=2)]
Pool = Annotated[tuple[Text, ...], LIST, Field(min_length=1)]


class Counterfactual(BaseModel):
    """The prompts of a counterfactual probe, as a file describes them.

    ``name_pools`` gives each group of a dimension one value a template, put in the place of
    ``name_placeholder``: a group is then told by many names, and not by the luck of one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: Annotated[int, Allowed("1"), Field(ge=1, le=1)] = 1
    templates: Annotated[
        tuple[Template, ...],
        BeforeValidator(_numbered),
        Allowed("a list of templates", item="a text, or a mapping of id and prompt"),
        Field(min_length=1, description="Prompts with placeholders."),
    ]
    dimensions: Annotated[
        Mapping[str, Groups],
        Allowed("a mapping from dimensions to lists of groups", item="a list of two or more texts"),
        Field(min_length=1, description="Dimension -> its groups, such as gender: [woman, man]."),
    ]
    reference: Annotated[
        Mapping[str, Name | None],
        Allowed("a mapping from dimensions to one of their groups", item="a group, or null"),
        Field(description="Dimension -> the group that others are compared with; else the first."),
    ] = {}
    name_pools: Annotated[
        Mapping[str, Mapping[str, Pool]],
        Allowed(
            "a mapping from dimensions to the names of each group",
            item="a mapping from groups to lists of one text a template",
        ),
        Field(description="Dimension -> group -> one value a template, for the name's place."),
    ] = {}
    name_placeholder: Annotated[
        Name, Field(description="The placeholder that name_pools fill.")
    ] = "name"
    defaults: Annotated[
        Mapping[str, Text],
        Allowed("a mapping from placeholders to texts", item="a text that is not blank"),
        Field(description="Placeholder -> its value where no dimension gives one."),
    ] = {}
    repeats: Annotated[
        int,
        Allowed(f"a whole number from 1 to {MOST_REPEATS}"),
        Field(ge=1, le=MOST_REPEATS, description="How many answers each variant is to have."),
    ] = 1

    @model_validator(mode="after")
    def _combinations(self) -> Self:
        faults = [
            InitErrorDetails(
                type=PydanticCustomError("combination", "{text}", {"text": text}),
                loc=place,
                input=None,
            )
            for place, text in self._faults()
        ]
        if faults:
            raise ValidationError.from_exception_data(type(self).__name__, faults)
        return self

    def varied(self, template: Template) -> tuple[str, ...]:
        """Return the dimensions that a template has a place for."""
        places = template.placeholders()
        return tuple(name for name in self.dimensions if self.place(name) in places)

    def place(self, dimension: str) -> str:
        """Return the placeholder that tells the groups of a dimension apart."""
        return self.name_placeholder if dimension in self.name_pools else dimension

    def reference_of(self, dimension: str) -> str | None:
        """Return the group that others of a dimension are compared with; ``None`` for none."""
        return self.reference.get(dimension, self.dimensions[dimension][0])

    def _faults(self) -> Iterator[tuple[Place, str]]:
        yield from self._faults_of_dimensions()
        yield from self._faults_of_pools()
        unread = False
        used: set[str] = set()
        varied: set[str] = set()
        for number, template in enumerate(self.templates):
            try:
                places = template.placeholders()
            except ValueError as error:
                text = str(error)
                yield ("templates", number), text if text.startswith("has") else _open_brace(text)
                unread = True
                continue
            used.update(places)
            varied.update(self.varied(template))
            yield from self._faults_of_template(number, template, places)
        if unread:
            return
        for dimension in self.dimensions:
            if dimension not in varied:
                place = f"{{{self.place(dimension)}}}"
                yield ("dimensions", dimension), f"no template has the place {place} for it."
        for name in self.defaults:
            if name not in used:
                hint = did_you_mean(name, used)
                yield ("defaults", name), f"no template has the placeholder {{{name}}}.{hint}"

    def _faults_of_template(
        self, number: int, template: Template, places: Sequence[str]
    ) -> Iterator[tuple[Place, str]]:
        ids = [other.id for other in self.templates[:number]]
        if template.id in ids:
            yield (
                ("templates", number, "id"),
                f"{shown(template.id)} is the id of another template.",
            )
        varied = self.varied(template)
        known = {*self.dimensions, *self.defaults, *map(self.place, self.dimensions)}
        for name in places:
            if name not in known:
                yield (
                    ("templates", number),
                    (
                        f"has the placeholder {{{name}}}, which nothing fills: neither a dimension"
                        f" nor defaults.{did_you_mean(name, known)}"
                    ),
                )
                continue
            lacking = [one for one in varied if name not in (self.place(one), one)]
            if lacking and name not in self.defaults:
                yield (
                    ("templates", number),
                    (
                        f"needs a value in defaults for {{{name}}}, which nothing fills while"
                        f" {' or '.join(lacking)} varies."
                    ),
                )
        if not varied:
            yield ("templates", number), "has a place for none of the dimensions."

    def _faults_of_dimensions(self) -> Iterator[tuple[Place, str]]:
        for dimension, groups in self.dimensions.items():
            if not dimension.isidentifier():
                yield ("dimensions", dimension), "must be a name that can stand in braces."
            for group in {group for group in groups if groups.count(group) > 1}:
                yield ("dimensions", dimension), f"lists the group {shown(group)} twice."
            if REFERENCE in groups and self.reference_of(dimension) not in (None, REFERENCE):
                yield (
                    ("dimensions", dimension),
                    (
                        f"has a group {REFERENCE!r}, which is the role of"
                        f" {shown(self.reference_of(dimension))}."
                    ),
                )
        for dimension, group in self.reference.items():
            if dimension not in self.dimensions:
                yield ("reference", dimension), _unknown_dimension(dimension, self.dimensions)
            elif group is not None and group not in self.dimensions[dimension]:
                yield ("reference", dimension), _unknown_group(group, self.dimensions[dimension])

    def _faults_of_pools(self) -> Iterator[tuple[Place, str]]:
        for dimension, pool in self.name_pools.items():
            if dimension not in self.dimensions:
                yield ("name_pools", dimension), _unknown_dimension(dimension, self.dimensions)
                continue
            groups = self.dimensions[dimension]
            for group in groups:
                if group not in pool:
                    yield ("name_pools", dimension), f"has no names for the group {shown(group)}."
            for group, names in pool.items():
                if group not in groups:
                    yield ("name_pools", dimension, group), _unknown_group(group, groups)
                elif len(names) != len(self.templates):
                    yield (
                        ("name_pools", dimension, group),
                        (
                            f"must hold one value a template, which are {len(self.templates)}, but"
                            f" holds {len(names)}."
                        ),
                    )


def _open_brace(text: str) -> str:
    return f"has a brace without its other half ({text}); a brace of the text is written twice."


def _unknown_dimension(name: str, dimensions: Collection[str]) -> str:
    hint = did_you_mean(name, dimensions) or f" Dimensions are {', '.join(dimensions)}."
    return f"is no dimension.{hint}"


def _unknown_group(name: str, groups: Collection[str]) -> str:
    hint = did_you_mean(name, groups) or f" Groups are {', '.join(groups)}."
    return f"{shown(name)} is no group of the dimension.{hint}"


def load_counterfactual(source: str | Path | Mapping[str, Any]) -> Counterfactual:
    """Read a file, or a mapping, that says which prompts to make.

    ``template`` is read for ``templates`` where there is one.

    Raises
    ------
    ConfigurationError
        When it cannot be read or is wrong; the message names each place.

    Examples
    --------
    >>> made = load_counterfactual(
    ...     {"template": "Praise {name}.", "dimensions": {"name": ["Ann", "Bob"]}}
    ... )
    >>> made.templates[0].id, made.reference_of("name")
    ('t1', 'Ann')
    """
    document = Document(source) if isinstance(source, Mapping) else read_document(source)
    report = Report(document)
    content = document.content
    if not isinstance(content, Mapping):
        report.add((), f"must be a mapping, but is {shown(content)}.")
        report.fail_if_any()
    fields = {str(key): value for key, value in content.items()}
    if "template" in fields and "templates" not in fields:
        fields = {"templates" if key == "template" else key: fields[key] for key in fields}
    try:
        return Counterfactual.model_validate(fields)
    except ValidationError as error:
        _add_faults(report, error)
    report.fail_if_any()
    raise AssertionError("a validation error has faults")  # pragma: no cover


def _add_faults(report: Report, error: ValidationError) -> None:
    details = error.errors(include_url=False)
    meant = {_meant(detail) for detail in details} - {None}
    for detail in details:
        if detail["type"] == "missing" and detail["loc"] in meant:
            continue  # the misspelt key says it
        report.add(_place(detail["loc"]), _words(detail))


def _place(place: Place) -> Place:
    """Return a place without what pydantic adds of its own: the key of a mapping, by name."""
    return tuple(step for step in place if step != "[key]")


def _model(place: Place) -> type[BaseModel]:
    inside = place[:1] == ("templates",) and len(place) > 2
    return Template if inside else Counterfactual


def _meant(detail: ErrorDetails) -> Place | None:
    if detail["type"] != "extra_forbidden":
        return None
    *outer, key = detail["loc"]
    meant = meant_key(key, tuple(_model(detail["loc"]).model_fields))
    return None if meant is None else (*outer, meant)


def _words(detail: ErrorDetails) -> str:
    place, kind = detail["loc"], detail["type"]
    if kind == "combination":
        return str(detail["ctx"]["text"])
    model = _model(place)
    if kind == "extra_forbidden":
        return unknown_key(place[-1], tuple(model.model_fields))
    if kind == "value_error":
        return f"{detail['ctx']['error']}"
    name = str(place[2] if model is Template else place[0])
    metadata = model.model_fields[name].metadata
    allowed = next(part for part in metadata if isinstance(part, Allowed))
    is_whole = model is Template or len(place) == 1
    if kind == "missing":
        return f"is required: {allowed.words}."
    words = allowed.words if is_whole else _inner_words(place, allowed)
    quotes = isinstance(detail["input"], int | float) and kind == "string_type"
    hint = " Put it in quotes." if quotes else ""
    return f"must be {words}, but is {shown(detail['input'])}.{hint}"


def _inner_words(place: Place, allowed: Allowed) -> str:
    depth = 3 if place[0] == "name_pools" else 2
    if len(place) > depth or (depth == 3 and len(place) == 3 and isinstance(place[2], int)):
        return "a text that is not blank"
    if depth == 3 and len(place) == 3:
        return "a list of one text a template"
    return allowed.item
