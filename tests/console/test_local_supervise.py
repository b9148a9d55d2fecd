"""The processes of `make up`: started again when they end, stopped in order, gone when their supervisor is."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from console.env import BASE_DIR
from console.local.supervise import LONGEST_PAUSE_SECONDS, SAME_SIGNAL_SECONDS, Process, Program
from tests.processes import alive, until

SCRIPT = """
    import sys
    from pathlib import Path
    from console.local.supervise import Program, Supervisor

    def program(name, code, **more):
        return Program(name, (sys.executable, "-c", code), **more)

    SAYS_HOW_IT_ENDS = '''if True:
        import os, pathlib, signal, sys, time
        name = sys.argv[0]
        def end(number, frame):
            print("ends", flush=True)
            sys.exit(0)
        signal.signal(signal.SIGTERM, end)
        print("pid", os.getpid(), flush=True)
        time.sleep(60)
    '''
    SLOW = SAYS_HOW_IT_ENDS.replace("sys.exit(0)", "time.sleep(1); print('ended'); sys.exit(0)")
    STUBBORN = SAYS_HOW_IT_ENDS.replace("sys.exit(0)", "pass; time.sleep(60)")
    programs = {programs}
    Supervisor(programs, __import__("os").environ, Path.cwd()).run(lambda: None)
    print("all stopped")
"""


class Supervised:
    def __init__(self, programs: str, output: Path) -> None:
        self.output = output
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SCRIPT).replace("{programs}", programs)],
            cwd=BASE_DIR,
            stdout=output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def lines(self) -> list[str]:
        return self.output.read_text().splitlines()

    def said(self, text: str) -> list[str]:
        return [line for line in self.lines() if text in line]

    def children(self) -> list[int]:
        return [int(line.split()[-1]) for line in self.said("pid ")]


@pytest.fixture
def supervised(tmp_path):
    begun: list[Supervised] = []

    def begin(programs: str) -> Supervised:
        begun.append(Supervised(programs, tmp_path / f"output-{len(begun)}"))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.wait()


def test_each_line_names_who_says_it(supervised):
    both = supervised(
        '[program("web", "print(\'hello\')", again_after_success=False), program("clock", SAYS_HOW_IT_ENDS)]'
    )
    assert until(both.children)
    assert until(lambda: both.said("web   │ hello"))
    assert both.said("clock │ pid")


def test_what_ends_is_started_again_also_when_it_succeeded(supervised):
    worker = supervised('[program("worker", "print(\'here\')")]')
    assert until(lambda: len(worker.said("│ here")) >= 3)
    assert worker.said("ended (exit code 0); starting it again in 0.5 s")


def test_what_has_done_its_work_stays_ended(supervised):
    agent = supervised(
        '[program("agent", "print(\'done\')", again_after_success=False), program("web", SAYS_HOW_IT_ENDS)]'
    )
    assert until(agent.children)
    assert not until(lambda: len(agent.said("│ done")) > 1, seconds=1.2)


def test_one_signal_stops_all_in_order(supervised):
    stack = supervised('[program(name, SAYS_HOW_IT_ENDS) for name in ("agent", "web", "bank")]')
    assert until(lambda: len(stack.children()) == 3)
    stack.process.send_signal(signal.SIGTERM)
    assert stack.process.wait(90) == 0
    assert [line.split()[0] for line in stack.said("│ ends")] == ["agent", "web", "bank"]
    assert not any(map(alive, stack.children()))
    assert stack.lines()[-1] == "all stopped"


def test_who_does_not_end_in_time_is_ended(supervised):
    stack = supervised('[program("web", STUBBORN, grace_seconds=0.3)]')
    assert until(stack.children)
    stack.process.send_signal(signal.SIGINT)
    assert stack.process.wait(90) == 0
    assert stack.said("did not end by itself")
    assert not any(map(alive, stack.children()))


def test_a_second_signal_waits_for_nobody(supervised):
    stack = supervised('[program("worker", STUBBORN, grace_seconds=60)]')
    assert until(stack.children)
    stack.process.send_signal(signal.SIGINT)
    assert until(lambda: stack.said("│ ends"))
    time.sleep(SAME_SIGNAL_SECONDS + 0.1)
    stack.process.send_signal(signal.SIGINT)
    assert stack.process.wait(90) == 0


def test_one_signal_that_comes_twice_is_still_one(supervised):
    """A terminal's hang-up or a kill of the group reaches us, and make passes it on."""
    stack = supervised('[program("worker", SLOW, grace_seconds=60)]')
    assert until(stack.children)
    for _ in range(3):
        stack.process.send_signal(signal.SIGTERM)
    assert stack.process.wait(90) == 0
    assert stack.said("│ ended")


def test_a_supervisor_that_is_killed_leaves_nobody(supervised):
    stack = supervised('[program(name, SAYS_HOW_IT_ENDS) for name in ("web", "worker")]')
    assert until(lambda: len(stack.children()) == 2)
    os.kill(stack.process.pid, signal.SIGKILL)
    assert until(lambda: not any(map(alive, stack.children())))


def test_pauses_grow_to_a_bound(monkeypatch):
    process = Process(Program("web", ("false",)), "")
    pauses = []
    for _ in range(8):
        os.close(process.begin(os.environ, BASE_DIR))
        assert until(lambda: process.ended() is not None)
        pauses.append(process.pause)
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_SECONDS
