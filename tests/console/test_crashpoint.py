"""Crash points do nothing until CRASH_AT arms them, and then strike once, at the named time, in the named way."""

import os
import signal
import subprocess
import sys
import time

import pytest

from console import crashpoint as crashpoints
from console.crashpoint import CrashPointHit, arm, armed, crashpoint, on_drop_db
from console.env import BASE_DIR, BadSetting
from console.telemetry.context import about


@pytest.fixture(autouse=True)
def _disarmed(monkeypatch):
    monkeypatch.delenv("CRASH_ONCE", raising=False)
    monkeypatch.delenv("CRASH_LIST", raising=False)
    yield
    arm("")


def in_a_process(trap: str, code: str, **more: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env={**os.environ, "CRASH_AT": trap, **more},
        stdout=subprocess.PIPE,
        text=True,
    )


PASS_TWICE = """
from console.crashpoint import crashpoint
for time in (1, 2):
    print("before", time, flush=True); crashpoint("dispatch.bytes_sent"); print("after", time, flush=True)
"""


def test_nothing_happens_when_nothing_is_armed():
    crashpoint("dispatch.before_socket")
    assert not armed("dispatch.before_socket")


def test_it_strikes_at_the_nth_passing_and_only_there():
    arm("claim.after_commit:2:raise")
    assert armed("claim.after_commit")
    crashpoint("claim.after_commit")
    crashpoint("intent.recorded")
    with pytest.raises(CrashPointHit):
        crashpoint("claim.after_commit")
    crashpoint("claim.after_commit")


def test_delay_holds_for_the_stated_seconds():
    arm("lease.renew:1:delay:0.05")
    start = time.monotonic()
    crashpoint("lease.renew")
    assert time.monotonic() - start >= 0.05


def test_drop_db_calls_what_was_registered(monkeypatch):
    dropped = []
    monkeypatch.setattr(crashpoints, "_drops", [])
    on_drop_db(lambda: dropped.append("now"))
    arm("result.before_commit:1:drop_db")
    crashpoint("result.before_commit")
    assert dropped == ["now"]


def test_once_means_once_over_processes(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASH_ONCE", str(tmp_path / "struck"))
    arm("a:1:raise")
    with pytest.raises(CrashPointHit):
        crashpoint("a")
    arm("a:1:raise")
    crashpoint("a")


def test_with_a_list_it_strikes_once_for_each_effect_that_is_listed_there(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASH_LIST", str(tmp_path))
    arm("a:1:raise,b:1:raise")
    (tmp_path / "a@refund").touch()
    (tmp_path / "b@other").touch()
    crashpoint("a", "other")
    with about(effect="other"):
        crashpoint("a")
    with about(effect="refund"), pytest.raises(CrashPointHit):
        crashpoint("a")
    with pytest.raises(CrashPointHit):
        crashpoint("b", "refund", "other")
    assert not [*tmp_path.iterdir()]
    arm("a:1:raise,b:1:raise")
    with about(effect="refund"):
        crashpoint("a")
    crashpoint("b", "other")


def test_kill_ends_the_process_at_that_place():
    process = in_a_process("dispatch.bytes_sent:2:kill", PASS_TWICE)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGKILL
    assert out.splitlines() == ["before 1", "after 1", "before 2"]


def test_stop_pauses_until_it_is_continued():
    process = in_a_process("dispatch.bytes_sent:1:stop", PASS_TWICE)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    os.kill(process.pid, signal.SIGCONT)
    out, _ = process.communicate(timeout=20)
    assert out.splitlines()[-1] == "after 2"


@pytest.mark.parametrize(
    "text", ["a", "a:1", "a:0:kill", "a:x:kill", "a:1:explode", ":1:kill", "a:1:delay:x", "a:1:delay:1:1"]
)
def test_a_trap_that_cannot_be_read_is_refused(text):
    with pytest.raises(BadSetting, match="CRASH_AT"):
        arm(text)
