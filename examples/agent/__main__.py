"""Run the example agent: python -m examples.agent --url http://127.0.0.1:8000 --key-file KEY.

Every few seconds it opens a new case, until it has opened as many as it may; each is worked in a thread of its own. What
was open when it last stopped it resumes, from the brief that the server gives and not from notes of its own."""

import argparse
import signal
import sys
import threading
import time
from pathlib import Path

from examples.agent.api import Api, Refused
from examples.agent.cases import Case, make_up, read
from examples.agent.work import work


def options(given: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m examples.agent", description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--key-file", type=Path, required=True, help="a file that holds the agent's API key")
    parser.add_argument("--every", type=float, default=6, metavar="SECONDS", help="how often a new case comes in")
    parser.add_argument("--cases", type=int, default=40, help="how many new cases to open before stopping")
    parser.add_argument("--at-once", type=int, default=20, help="open no more while this many are open")
    parser.add_argument("--letters", type=Path, help="where letters are kept; else beside the key")
    parser.add_argument("--seed", type=int, default=1, help="which cases; the same seed makes up the same ones")
    return parser.parse_args(given)


def say(line: str) -> None:
    """Print one line at once."""
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def begin(case: Case, api: Api, letters: Path) -> threading.Thread:
    """Work the case in the background."""

    def tell(line: str) -> None:
        say(f"case {case.number}: {line}")

    thread = threading.Thread(target=work, args=(case, api, tell, letters), daemon=True)
    thread.start()
    return thread


def main() -> int:
    """Take up what is open, open new cases, and stay until all have ended."""
    given = options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        api = Api(given.url, given.key_file.read_text().strip(), say)
        open_cases = [case for run in api.runs(state="open") if (case := read(run["key"]))]
        newest = max(
            (case.number for run in api.runs() if (case := read(run["key"])) and case.seed == given.seed), default=0
        )
    except Refused as refusal:
        say(f"The server will not have me: {refusal}")
        return 1
    except OSError as error:
        say(f"The key cannot be read: {error}")
        return 1
    if open_cases:
        say(f"Taking up {len(open_cases)} open cases again.")
    letters = given.letters or given.key_file.parent / "letters"
    threads = [begin(case, api, letters) for case in open_cases]
    for number in range(newest + 1, newest + 1 + given.cases):
        while sum(thread.is_alive() for thread in threads) >= given.at_once:
            time.sleep(given.every)
        case = make_up(given.seed, number)
        say(f"case {number}: {case.story}")
        threads.append(begin(case, api, letters))
        time.sleep(given.every)
    say("All cases are open; waiting for them to end.")
    for thread in threads:
        thread.join()
    say("All cases have ended.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("Stopping; what is open goes on next time.")
