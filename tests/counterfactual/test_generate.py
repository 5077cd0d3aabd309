"""`fairsql counterfactual generate`: the three kinds of files hold the same, and misuse is told."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from fairsql.errors import ConfigurationError
from fairsql.llm.counterfactual import COLUMNS, counterfactual_prompts
from fairsql.warehouses.row_files import read_rows
from tests.cli.samples import call


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    groups = '["woman", "a \\"quoted\\", =man", "007", "NULL", "ß"]'
    Path("probe.yml").write_text(
        f'templates: ["Praise\\n{{who}}."]\ndimensions: {{who: {groups}}}\nrepeats: 2\n',
        encoding="utf-8",
    )


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_file_holds_every_prompt(ending: str) -> None:
    result = call("counterfactual", "generate", "probe.yml", "--to", f"prompts.{ending}")
    assert result.exit_code == 0
    assert result.output == (
        f"Wrote prompts.{ending}: 10 prompts in 1 group of prompts that differ in one thing.\n"
    )
    rows = counterfactual_prompts("probe.yml")
    as_text = [{name: str(value) for name, value in row.items()} for row in rows]
    assert read_rows(Path(f"prompts.{ending}"), COLUMNS) == as_text
    # And as another program reads it.
    read = duckdb.execute(f"select prompt, group_label from 'prompts.{ending}'").fetchall()
    assert read == [(row["prompt"], row["group_label"]) for row in rows]
    assert not list(Path.cwd().glob(".*"))


def test_a_file_that_is_there_stays() -> None:
    Path("prompts.csv").write_text("mine")
    result = call("counterfactual", "generate", "probe.yml", "--to", "prompts.csv")
    assert result.exit_code == 2
    assert "'prompts.csv' exists; --force overwrites it." in result.output
    assert Path("prompts.csv").read_text() == "mine"
    again = call("counterfactual", "generate", "probe.yml", "--to", "prompts.csv", "--force")
    assert again.exit_code == 0


@pytest.mark.parametrize(
    ("config", "target", "fragment"),
    [
        ("probe.yml", "prompts.xlsx", "'prompts.xlsx' must end in .csv, .parquet or .jsonl."),
        ("probe.yml", "probe.yml", "--to cannot write to 'probe.yml', which is the configuration"),
        ("prob.yml", "prompts.csv", "no such file. Did you mean 'probe.yml'?"),
        ("wrong.yml", "prompts.csv", "wrong.yml, line 2, templates[0]: has the placeholder {whom}"),
    ],
)
def test_misuse_ends_in_a_sentence_and_2(config: str, target: str, fragment: str) -> None:
    Path("wrong.yml").write_text(
        'templates:\n  - "Praise {whom}."\ndimensions: {who: [him, her]}\n', encoding="utf-8"
    )
    result = call("counterfactual", "generate", config, "--to", target, env={"COLUMNS": "300"})
    assert result.exit_code == 2
    assert fragment in result.output
    assert not Path("prompts.csv").exists()


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_folder_that_is_not_there(ending: str) -> None:
    result = call("counterfactual", "generate", "probe.yml", "--to", f"nowhere/prompts.{ending}")
    assert result.exit_code == 4
    assert "nowhere" in result.output


@pytest.mark.parametrize(
    ("name", "content", "fragment"),
    [
        ("a.csv", b"prompt,role\nx\n", "row 1 has another number of columns"),
        ("a.csv", b"prompt,role\nx,y,z\n", "row 1 has another number of columns"),
        ("a.csv", b"role\nx\n", "has no column 'prompt'; its columns are role."),
        ("a.csv", b"prompt\n\xff\n", "codec can't decode"),
        ("a.jsonl", b'{"prompt": "x"}\n{\n', "line 2 is not JSON"),
        ("a.jsonl", b"[1]\n", "line 1 is no object"),
        ("a.parquet", b"PAR0", "cannot read 'a.parquet'"),
        ("b.csv", None, "cannot read 'b.csv': No such file or directory."),
        ("b.parquet", None, "cannot read 'b.parquet': no such file."),
        ("b.txt", None, "must end in .csv, .parquet or .jsonl."),
    ],
)
def test_a_file_that_cannot_be_read(name: str, content: bytes | None, fragment: str) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=fragment.replace(".", "[.]")):
        read_rows(Path(name), ["prompt"])
