"""Words in the names of columns, and what such a column most likely holds."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ATTRIBUTES = _words(
    "sex gender race racial ethnicity ethnic age nationality citizenship immigrant language locale"
    " religion disability disabled veteran marital pregnant orientation caste region country"
)
"""Groups of people, or what stands for them."""

PREDICTED = _words("predicted prediction pred predict yhat guess model classified")
"""What a model said."""

TRUTH = _words(
    "truth actual label target outcome observed true y recid reoffended repaid defaulted default"
    " churned converted readmitted"
)
"""What happened."""

SCORE = _words("score decile rating rank points grade")
"""How likely or how good a model found it."""

IDENTIFIERS = _words("id ids uuid guid key")
"""Which row it is; not an amount."""

GOOD = _words(
    "approved approval accepted admitted hired granted selected offer offered promoted passed"
    " eligible invited shortlisted recommended repaid"
)
"""What people would rather have more of."""

BAD = _words(
    "denied rejected declined risk recid reoffended default defaulted fraud flagged arrested"
    " suspended terminated fired late complaint error latency wait cost price fee delay"
)
"""What people would rather have less of."""

POSITIVE_TEXTS = frozenset({"1", "yes", "y", "true", "t", "positive", "pos", *GOOD})
"""Values of a yes-or-no column that mean yes."""
