"""The commands of `python -m console.local`."""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

from console.env import BadSetting
from console.local import environment, place, services
from console.local.account import NoAccount
from console.local.keeper import keep
from console.local.place import Place
from console.local.room import NotInstalled
from console.local.stop import StillUp, down, reset
from console.local.tied import NotStarted
from console.local.up import AlreadyUp, NotPrepared, PortTaken, up

REFUSALS = (
    BadSetting,
    environment.HalfGiven,
    AlreadyUp,
    NoAccount,
    NotInstalled,
    NotPrepared,
    NotStarted,
    PortTaken,
    StillUp,
)


def main(arguments: list[str]) -> int:
    """Do what the arguments say; give the exit code."""
    asked = parser().parse_args(arguments)
    try:
        return int(asked.do(asked))
    except REFUSALS as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 0 if asked.do is start_up else 130


def parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    top = argparse.ArgumentParser(prog="python -m console.local", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: object, text: str | None) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text) if text else commands.add_parser(name)
        added.set_defaults(do=do)
        return added

    command("up", start_up, "start everything and stay until Ctrl-C")
    command("down", lambda asked: down(), "stop what `up` started")
    command("reset", lambda asked: reset(), "stop, and remove the data")
    run = command("run", run_command, "run a command with the services up and the environment set")
    run.add_argument(
        "--place", choices=place.PLACES, default="main", help="whose services: those of up, tests or bench"
    )
    run.add_argument("command", nargs=argparse.REMAINDER)
    command("env", print_environment, 'print the environment: eval "$(python -m console.local env)"')
    kept = command("keep", keep_services, None)
    for name in ("data", "name", "durable"):
        kept.add_argument(name)
    return top


def start_up(asked: argparse.Namespace) -> int:
    """Start everything and stay."""
    return up()


def run_command(asked: argparse.Namespace) -> int:
    """Run a command with the services up; its exit code is ours."""
    argv = asked.command[1:] if asked.command[:1] == ["--"] else asked.command
    if not argv:
        raise BadSetting("Say which command to run: python -m console.local run -- python manage.py shell")
    where = place.PLACES[asked.place]()
    if environment.given():
        return subprocess.run(argv, check=False).returncode
    with services.held(where):
        return subprocess.run(argv, check=False, env={**os.environ, **environment.local(where)}).returncode


def print_environment(asked: argparse.Namespace) -> int:
    """Print the environment as lines for a shell."""
    if environment.given():
        return 0
    for name, value in environment.local(place.main()).items():
        print(f"export {name}={shlex.quote(value)}")
    if not services.running(place.main()):
        print("The services do not run now; `make up` in another terminal starts them.", file=sys.stderr)
    return 0


def keep_services(asked: argparse.Namespace) -> int:
    """Run the servers of a place until nobody uses them."""
    return keep(Place(Path(asked.data), asked.name, durable=asked.durable == "1"))
