"""The places where a process may be made to die are those that tests/crash/README.md names, and no others."""

import ast
import re
from pathlib import Path

from console.env import BASE_DIR
from console.ledger import moves

PRODUCT = ("console", "approvals", "runs", "compensation")
NAMED_BY_THE_RULES = {
    "accept.before_commit", "accept.after_commit_before_wake", "claim.after_commit", "intent.recorded", "dispatch.before_socket",
    "dispatch.bytes_sent", "dispatch.response_received", "result.before_commit", "result.after_commit", "wake.enqueue", "lease.renew",
    "approve.after_commit", "callback.recorded_before_apply", "migrate.mid",
}  # fmt: skip


def places_in(file: Path) -> set[str]:
    """Give what the file's crash points are called; what is filled in when they are passed is {in braces}."""
    calls = (
        node.args[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "crashpoint"
    )
    return {told(name) for name in calls}


def told(name: ast.expr) -> str:
    if isinstance(name, ast.Constant):
        return str(name.value)
    if isinstance(name, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{kind}" for part in name.values)
    return "{move}"


def in_the_code() -> set[str]:
    found = {
        place
        for room in PRODUCT
        for file in (BASE_DIR / room).rglob("*.py")
        if file != Path(moves.__file__)
        for place in places_in(file)
    }
    return found | {"{move}.before_commit", "{move}.after_commit"}


def moves_in_the_code() -> set[str]:
    files = (file for room in PRODUCT for file in (BASE_DIR / room).rglob("*.py"))
    return {verb for file in files for verb in re.findall(r'@move\("([^"]+)"\)', file.read_text(encoding="utf-8"))}


def test_the_places_in_the_code_are_those_that_the_page_names() -> None:
    page = (BASE_DIR / "tests/crash/README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)) == in_the_code()


def test_every_place_that_the_rules_of_testing_name_is_in_the_code() -> None:
    of_moves = {f"{verb}.{when}" for verb in moves_in_the_code() for when in ("before_commit", "after_commit")}
    assert in_the_code() | of_moves >= NAMED_BY_THE_RULES


def test_a_move_passes_its_two_places() -> None:
    assert places_in(Path(moves.__file__)) == {"{move}"}
