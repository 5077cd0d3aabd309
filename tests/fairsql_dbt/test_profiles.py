"""Profiles: found as dbt finds them, rendered, and never shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import psycopg
import pytest

from fairsql.dbt import find_target, load_project
from fairsql.errors import ConfigurationError, WarehouseError

if TYPE_CHECKING:
    from tests.dbt.warehouses import PostgreSQL

FILE = {"type": "duckdb", "path": "shop.duckdb"}
SERVER = {"type": "postgres", "host": "nowhere.invalid", "user": "me", "pass": "s3cret"}


def profile(folder: Path, target: str | None = None, **outputs: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    content = {"shop": {"target": target, "outputs": outputs}}
    (folder / "profiles.yml").write_text(json.dumps(content), encoding="utf-8")


def project(folder: Path, **settings: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    content = {"name": "shop", "profile": "shop", **settings}
    (folder / "dbt_project.yml").write_text(json.dumps(content), encoding="utf-8")


def test_the_places_are_those_of_dbt_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [tmp_path / name for name in ("home/.dbt", "project", ".", "environment", "named")]
    project(tmp_path / "project")
    for place in places:
        profile(place, default={**FILE, "path": f"{place.name}.duckdb"})
        if place.name == "environment":
            monkeypatch.setenv("DBT_PROFILES_DIR", str(place))
        named = "named" if place.name == "named" else None
        found = find_target(load_project("project"), profiles_dir=named)
        assert found.profiles_dir == place.resolve()
        assert found.settings["path"] == f"{place.name}.duckdb"


@pytest.mark.parametrize(
    ("named", "environment", "in_profile", "chosen"),
    [
        ("a", "b", "c", "a"),
        (None, "b", "c", "b"),
        (None, None, "c", "c"),
        (None, None, "{{ env_var('WHICH', 'a') }}", "a"),
        (None, None, None, "default"),
    ],
)
def test_the_target_is_the_one_dbt_chooses(
    monkeypatch: pytest.MonkeyPatch,
    named: str | None,
    environment: str | None,
    in_profile: str | None,
    chosen: str,
) -> None:
    profile(Path(), in_profile, **dict.fromkeys("abc", FILE), default=FILE)
    if environment:
        monkeypatch.setenv("DBT_TARGET", environment)
    assert find_target(None, profile="shop", target=named).name == chosen


def test_variables_are_rendered_for_the_chosen_target_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLACE", "there")
    path = "{{ env_var('PLACE') }}/{{ env_var('NAME', 'shop') }}.duckdb"
    profile(Path(), "a", a={**FILE, "path": path}, b={**SERVER, "pass": "{{ env_var('NO') }}"})
    assert find_target(None, profile="shop").settings["path"] == "there/shop.duckdb"
    with pytest.raises(ConfigurationError, match="pass: needs the environment variable NO, which"):
        find_target(None, profile="shop", target="b")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"profile": "shopp"}, "no profile 'shopp'. Did you mean 'shop'?"),
        ({"target": "devv"}, "no target 'devv'. Did you mean 'dev'?"),
        ({"target": "cloud"}, "but is 'oracle'"),
        ({"profiles_dir": "elsewhere"}, "there is no profiles.yml in"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(wanted: dict[str, str], message: str) -> None:
    profile(Path(), "dev", dev=FILE, cloud={"type": "oracle"})
    with pytest.raises(ConfigurationError) as caught:
        find_target(None, **{"profile": "shop", **wanted})
    assert message in str(caught.value)


@pytest.mark.parametrize("written", ["!s3cret", "*s3cret", "@s3cret", "'s3cret", "{% s3cret"])
def test_no_message_shows_a_password(written: str) -> None:
    text = f"shop:\n  outputs:\n    default:\n      type: postgres\n      pass: {written}\n"
    Path("profiles.yml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        find_target(None, profile="shop")
    assert "cret" not in str(caught.value)


def test_nothing_that_is_printed_shows_a_password() -> None:
    profile(Path(), default={**SERVER, "dbname": "db"})
    target = find_target(None, profile="shop")
    assert "s3cret" not in repr(target)
    assert "s3cret" not in " ".join(target.options)
    with pytest.raises(WarehouseError) as caught:
        target.open()
    assert "s3cret" not in str(caught.value)


def test_a_file_is_found_from_the_projects_folder(tmp_path: Path) -> None:
    project(tmp_path / "project")
    with duckdb.connect(str(tmp_path / "project" / "other.db")) as connection:
        connection.execute("create table calls as select 1 as x")
    with duckdb.connect(str(tmp_path / "project" / "shop.duckdb")) as connection:
        connection.execute("create table loans as select 2 as x")
    attach = [{"path": "other.db", "alias": "Phone log"}]
    profile(tmp_path / "project", default={**FILE, "attach": attach})
    target = find_target(load_project("project"))
    assert (target.database, target.schema) == ("shop", "main")
    warehouse = target.open()
    joined = 'select calls.x, loans.x as y from "Phone log".calls, shop.loans'
    assert warehouse.run(joined).rows == [{"x": 1, "y": 2}]
    with pytest.raises(WarehouseError, match="read-only"):
        warehouse.run('create table "Phone log".mine (x integer)')
    warehouse.close()


def test_memory_cannot_be_shared() -> None:
    profile(Path(), default={"type": "duckdb"})
    with pytest.raises(ConfigurationError, match="give it a path"):
        find_target(None, profile="shop").open()


def test_a_server_is_opened_with_role_and_search_path(live: PostgreSQL) -> None:
    with psycopg.connect(host=str(live.directory), user="postgres") as connection:
        connection.execute('drop schema if exists "My Data" cascade')
        connection.execute('create schema "My Data"')
        connection.execute("drop role if exists auditor")
        connection.execute("create role auditor")
        connection.execute('create table "My Data".calls as select 1 as x')
        connection.execute('grant usage on schema "My Data" to auditor')
        connection.execute('grant select on "My Data".calls to auditor')
    settings = {"search_path": '"My Data", public', "role": "Auditor", "password": "x"}
    profile(Path(), default={**live.output, **settings, "port": "{{ env_var('PORT', '5432') }}"})
    target = find_target(None, profile="shop")
    assert (target.database, target.schema) == ("postgres", "public")
    warehouse = target.open()
    assert warehouse.run("select current_user as who from calls").rows == [{"who": "auditor"}]
    with pytest.raises(WarehouseError, match="permission denied"):
        warehouse.run("select * from people")
    warehouse.close()


def test_a_project_is_found_in_a_folder_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="here or in a folder above"):
        load_project(None)
    project(tmp_path, **{"target-path": "{{ env_var('OUT', 'built') }}"})
    below = tmp_path / "models" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert load_project(None).manifest == tmp_path / "built" / "manifest.json"
    monkeypatch.setenv("DBT_TARGET_PATH", "elsewhere")
    assert load_project(None).target_path == tmp_path / "elsewhere"
    monkeypatch.setenv("DBT_PROJECT_DIR", str(below))
    with pytest.raises(ConfigurationError, match="project-dir: there is no dbt_project"):
        load_project(None)
