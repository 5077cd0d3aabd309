"""The peers on the same table: fairlearn, Aequitas, pandas, polars, and DuckDB by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import checking, measuring
from benchmarks.measuring import ROOT, Cost, Program
from benchmarks.scans import fairsql_process
from benchmarks.sections import Section

if TYPE_CHECKING:
    from benchmarks.setting import Setting

OURS = "fairsql: values, intervals, p-values, verdicts"
PEERS: Mapping[str, str] = {
    "DuckDB, SQL by hand: values": "duckdb_query",
    "polars: values": "polars_groups",
    "pandas: values": "pandas_groups",
    "fairlearn: values": "fairlearn_frame",
}
AEQUITAS = "Aequitas: values of labels, no scores"
SLOW = ("fairlearn: values", AEQUITAS)
_LIMIT = 300


def peers(setting: Setting) -> Section:
    """Measure seven metrics of a classifier by ten groups, in every tool that knows them."""
    sizes = (100_000, 1_000_000, *([10_000_000] if setting.everything else []))
    if setting.quick or setting.rows:
        sizes = (setting.size(0),)
    table: list[list[Any]] = []
    checked = 0
    for rows in sizes:
        path, results = setting.people(rows), setting.results("peers")
        programs = {OURS: fairsql_process("peers", path, results), **_programs(setting, path)}
        costs = _costs(setting, programs)
        ours = checking.values(checking.read(results))
        for tool, cost in costs.items():
            numbers = ours if tool == OURS else _numbers(setting, tool)
            if cost.seconds and tool != OURS:
                checked += checking.same(tool, numbers, ours)
            metrics = len({metric for metric, _, _ in numbers}) if cost.seconds else None
            table.append([tool, rows, metrics, cost.seconds, cost.megabytes])
    columns = {
        "tool": "text",
        "rows": "count",
        "metrics": "count",
        "whole process": "s",
        "peak": "MB",
    }
    return Section("peers", columns, table, checked=checked, notes=_notes(setting))


def _costs(setting: Setting, programs: Mapping[str, Program]) -> dict[str, Cost]:
    """Return what each program costs; the slow ones run once."""
    quick = {tool: program for tool, program in programs.items() if tool not in SLOW}
    slow = {tool: program for tool, program in programs.items() if tool in SLOW}
    return {
        **measuring.processes(quick, repeats=setting.repeats(3), limit=_LIMIT),
        **measuring.processes(slow, repeats=1, limit=_LIMIT),
    }


def _programs(setting: Setting, path: Path) -> dict[str, Program]:
    found = {}
    for tool, module in PEERS.items():
        numbers = str(_place(setting, tool))
        command = [sys.executable, "-m", f"benchmarks.peers.{module}", str(path), numbers]
        found[tool] = Program(command)
    if setting.aequitas.exists():
        program = str(ROOT / "benchmarks" / "peers" / "aequitas_groups.py")
        numbers = str(_place(setting, AEQUITAS))
        found[AEQUITAS] = Program([str(setting.aequitas), program, str(path), numbers])
    return found


def _numbers(setting: Setting, tool: str) -> dict[tuple[Any, ...], float | None]:
    """Return what a peer wrote, by the keys that fairsql's values have."""
    found = json.loads(_place(setting, tool).read_text(encoding="utf-8"))
    return {(metric, ("region",), (group,)): value for metric, group, value in found}


def _place(setting: Setting, tool: str) -> Path:
    return setting.folder / f"peer_{tool.partition(':')[0].partition(',')[0].lower()}.json"


def _notes(setting: Setting) -> tuple[str, ...]:
    if setting.aequitas.exists():
        return ()
    return ("Aequitas is not here: its environment is not installed.",)
