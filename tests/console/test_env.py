"""Settings are read loudly: what is wrong is named with what was found, what is allowed and how to mend it, and no secret is quoted."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from inspect import isfunction
from pathlib import Path

import pytest

from console import env
from console.env import BASE_DIR, BadSetting

READERS = {name for name, read in vars(env).items() if isfunction(read) and read.__module__ == env.__name__}
PRODUCT = ("console", "runs", "approvals", "compensation", "examples")
# Where the environment itself is looked at: what is handed on to a process of ours, or RQ's parent tells its child; others' services.
HANDED_ON = {
    "console/env.py",
    "console/asgi.py",
    "console/local",
    "runs/jobs.py",
    "runs/workers.py",
    "examples",
    "console/telemetry/blotting.py",  # looks for secrets wherever they are, in order not to write them
    "console/telemetry/traces.py",  # OpenTelemetry's own variables
}
MADE_UP = {"COUNTERFOIL_BASE_URL_<NAME>", "COUNTERFOIL_SECRET_<NAME>"}


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Give every call of a reader in the product: its file, the call, and the reader's name."""
    for top in PRODUCT:
        for file in (BASE_DIR / top).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("env."):
                    reader = ast.unparse(node.func).removeprefix("env.")
                    if reader in READERS:
                        yield str(file.relative_to(BASE_DIR)), node, reader


def read_by_name() -> dict[str, set[str]]:
    """Give every variable that the product reads by name, with the defaults that are written where it is read."""
    found: dict[str, set[str]] = {"COUNTERFOIL_DATA": set()}
    for _, call, reader in calls():
        if reader in {"secret", "base_url", "data_dir", "unknown", "given", "secret_variable"}:
            continue
        assert isinstance(call.args[0], ast.Constant), ast.unparse(call)
        defaults = found.setdefault(str(call.args[0].value), set())
        if reader == "flag":
            given = [word.value for word in call.keywords if word.arg == "default"]
            defaults.add("yes" if given and ast.literal_eval(given[0]) else "no")
        elif (
            reader in {"whole", "one_of", "hosts", "listed", "text"}
            and len(call.args) > 1
            and isinstance(call.args[1], ast.Constant)
        ):
            defaults.add(str(call.args[1].value))
    return found


def table() -> dict[str, str]:
    """Give docs/settings.md: each variable with its default."""
    rows = re.findall(r"^\| `([A-Z_<>]+)` \| ([^|]*) \|", (BASE_DIR / "docs" / "settings.md").read_text(), re.MULTILINE)
    assert len(rows) == len({name for name, _ in rows}), "a variable is there twice"
    return {name: default.strip().strip("`") for name, default in rows}


def test_the_table_of_settings_is_what_the_code_reads():
    assert set(table()) - MADE_UP == set(read_by_name())
    assert set(table()) >= MADE_UP


def test_the_table_has_each_default_as_the_code_has_it():
    said = table()
    for name, defaults in read_by_name().items():
        assert len(defaults) <= 1, f"{name} has two defaults: {defaults}"
        for default in defaults:
            assert said[name] == default, name


def test_every_name_with_our_prefix_is_known():
    assert {name for name in read_by_name() if name.startswith(env.PREFIX)} == env.OURS


def test_nothing_reads_the_environment_past_the_readers():
    past = set()
    for top in PRODUCT:
        for file in (BASE_DIR / top).rglob("*.py"):
            if re.search(r"os\.(environ|getenv)", file.read_text()):
                past.add(str(file.relative_to(BASE_DIR)))
    assert {
        name for name in past if not any(name == known or name.startswith(f"{known}/") for known in HANDED_ON)
    } == set()


WRONG = [
    ("flag", ("CF_X",), "maybe", "CF_X must be yes or no, and is 'maybe'. Correct it, or unset it for no."),
    ("whole", ("CF_X", 7), "ten", "CF_X must be a whole number of at least 0, and is 'ten'. Correct it, or unset it for 7."),
    ("whole", ("CF_X", 7), "-1", "CF_X must be a whole number of at least 0, and is '-1'. Correct it, or unset it for 7."),
    ("whole", ("CF_X", 7), "--7", "CF_X must be a whole number of at least 0, and is '--7'. Correct it, or unset it for 7."),
    ("one_of", ("CF_X", "a", ("a", "b")), "c", "CF_X must be one of a, b, and is 'c'. Correct it, or unset it for a."),
    ("hosts", ("CF_X", ""), "https://a.example", "CF_X must list host names alone, without scheme, port or path, and holds 'https://a.example'."),
    ("folder", ("CF_X", Path("/srv")), "srv", "CF_X must be an absolute path, and is 'srv'. Correct it, or unset it for /srv."),
    ("text", ("CF_X",), "  ", "CF_X is not set. Set it in the environment"),
    ("private", ("CF_X",), "", "CF_X is not set. Set it, or set CF_X_FILE to a file that holds it"),
    ("dsn", ("CF_X",), "mysql://u:hushhush@h/n", "CF_X must look like postgresql://user:password@host:5432/name, and it begins with mysql://."),
    ("dsn", ("CF_X",), "postgresql://u:hushhush@h", "and it names no database."),
    ("dsn", ("CF_X",), "postgresql://u:hush/hush@h:5432/n", "cannot be read as a URL"),
    ("bell", ("CF_X",), "h:6379", "CF_X must look like redis://:password@host:6379/0"),
    ("bell", ("CF_X",), "redis://", "and it names no host."),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "arguments", "found", "said"), WRONG)
def test_a_wrong_value_is_named_with_what_is_allowed_and_how_to_mend_it(monkeypatch, reader, arguments, found, said):
    monkeypatch.setenv("CF_X", found)
    with pytest.raises(BadSetting) as refused:
        getattr(env, reader)(*arguments)
    assert said in str(refused.value)
    assert "hush" not in str(refused.value)


def test_a_number_beyond_its_bounds_is_refused(monkeypatch):
    monkeypatch.setenv("CF_X", "65536")
    with pytest.raises(BadSetting, match="CF_X must be a whole number from 1 to 65535, and is '65536'"):
        env.whole("CF_X", 8000, least=1, most=65535)


def test_a_secret_may_be_a_file(monkeypatch, tmp_path):
    file = tmp_path / "key"
    file.write_text("from the file\n")
    monkeypatch.setenv("CF_X_FILE", str(file))
    assert env.private("CF_X") == "from the file"
    monkeypatch.setenv("COUNTERFOIL_SECRET_BANK_TOKEN_FILE", str(file))
    monkeypatch.delenv("COUNTERFOIL_SECRET_BANK_TOKEN", raising=False)
    assert env.secret("bank-token") == "from the file"
    file.write_text("postgresql://ann:pass%40word@db:5433/book?sslmode=require&host=%2Frun%2Fpg")
    made = env.database("CF_X")
    assert (made["NAME"], made["USER"], made["PASSWORD"], made["HOST"], made["PORT"]) == (
        "book",
        "ann",
        "pass@word",
        "/run/pg",
        "5433",
    )
    assert made["OPTIONS"] == {"application_name": "counterfoil", "sslmode": "require"}


def test_a_secret_given_twice_or_by_a_file_that_gives_nothing_is_refused(monkeypatch, tmp_path):
    file = tmp_path / "key"
    monkeypatch.setenv("CF_X_FILE", str(file))
    with pytest.raises(
        BadSetting, match=f"CF_X_FILE must name a file that this process can read, and is '{file}': No such file"
    ):
        env.private("CF_X")
    file.write_text("\n")
    with pytest.raises(BadSetting, match="which gives nothing"):
        env.private("CF_X")
    monkeypatch.setenv("CF_X", "hushhush")
    with pytest.raises(BadSetting, match="CF_X and CF_X_FILE are both set"):
        env.private("CF_X")


def test_a_secret_that_was_put_where_a_path_belongs_is_not_quoted(monkeypatch):
    monkeypatch.setenv("CF_X_FILE", "hushhush")
    with pytest.raises(BadSetting, match="CF_X_FILE must be the absolute path of a file") as refused:
        env.private("CF_X")
    assert "hush" not in str(refused.value)


def test_a_variable_of_ours_that_nobody_reads_is_noticed_with_the_one_that_was_meant(monkeypatch):
    monkeypatch.setenv("COUNTERFOIL_DATTA", "/srv")
    monkeypatch.setenv("COUNTERFOIL_WHATEVER_ELSE", "1")
    monkeypatch.setenv("COUNTERFOIL_SECRET_ANYTHING", "1")
    assert env.unknown() == {"COUNTERFOIL_DATTA": "COUNTERFOIL_DATA", "COUNTERFOIL_WHATEVER_ELSE": None}


def test_a_command_with_a_wrong_setting_ends_with_one_sentence():
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=BASE_DIR, capture_output=True, text=True, check=False,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "console.settings", "DATABASE_POOL": "many"},
    )  # fmt: skip
    assert done.returncode == 1
    assert (
        done.stderr
        == "DATABASE_POOL must be a whole number of at least 1, and is 'many'. Correct it, or unset it for 12.\n"
    )
