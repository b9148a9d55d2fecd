"""docs/cases.md names tests that exist, for every case that it is to have."""

import ast
import re

from console.env import BASE_DIR

CASES = {
    "UNK-01", "UNK-02", "UNK-04", "UNK-07", "RET-01", "RET-02", "RET-05", "RET-07", "RQ-01", "RQ-02", "RQ-08", "RQ-09", "RQ-10", "RQ-11",
    "CAN-01", "CAN-02", "CAN-05", "CAN-06",
    "EXP-01", "EXP-03", "EXP-05", "EXP-07", "UPG-01", "UPG-03", "UPG-06",
    "LEA-03", "TIM-01", "TIM-02", "TIM-04", "TIM-09", "TIM-10",
    "APR-01", "APR-03", "APR-05", "APR-07", "APR-09", "APR-12", "APR-16", "APR-17", "APR-21",
    "APR-13", "APR-20", "DB-03",
    "LEA-01", "LEA-05", "RES-06", "RES-01", "RES-03", "RES-04",
    "CMP-01", "CMP-03", "CMP-05",
}  # fmt: skip
ROW = re.compile(r"^\| ([A-Z]+-\d+) \|.*\| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([^`:]+)::(test_\w+)`")


def rows() -> dict[str, list[tuple[str, str]]]:
    """Give the tests that the page names, by case."""
    page = (BASE_DIR / "docs/cases.md").read_text(encoding="utf-8")
    return {case: NAMED.findall(shown) for case, shown in ROW.findall(page)}


def test_every_case_is_there_with_at_least_one_test() -> None:
    assert set(rows()) == CASES
    assert all(rows().values())


def test_every_test_that_is_named_exists() -> None:
    missing = []
    for file, test in {pair for named in rows().values() for pair in named}:
        path = BASE_DIR / file
        tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
        if test not in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{file}::{test}")
    assert not missing


def test_the_tests_of_the_queue_name_their_case() -> None:
    for file in ("tests/crash/test_rq.py", "tests/crash/test_unknowns.py"):
        tree = ast.parse((BASE_DIR / file).read_text(encoding="utf-8"))
        told = {node.name: ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
        for case, named in rows().items():
            assert all(told[test] == case for there, test in named if there == file)
