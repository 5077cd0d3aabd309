"""Tests that are judged by the rules of another kind of test, over rows that a macro derives.

The lowered test asks its own questions; what this one has besides is asked in the same scan and
completed after the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fairsql.config.base import Question, Test


class DerivedTest(Test):
    """A test that is another one with measurements of its own.

    Attributes
    ----------
    inner_measurements
        A measurement of this kind -> what it is called in the lowered test, where that has it
        under another name. Those that the lowered test lacks altogether are added to the result
        when it is completed.
    """

    inner_measurements: ClassVar[Mapping[str, str]] = {}

    def lowered(self) -> Test:
        """Return the test of another kind that measures this one, over the same relation."""
        raise NotImplementedError

    def further_questions(self) -> tuple[Question, ...]:
        """Return what is asked besides, in the order in which completing the result reads it."""
        return ()

    def questions(self) -> tuple[Question, ...]:
        """Return the questions of the lowered test, and then the further ones."""
        return (*self.lowered().questions(), *self.further_questions())

    @property
    def pools_counts(self) -> bool:
        """Whether the lowered test puts classes or strata together."""
        return self.lowered().pools_counts
