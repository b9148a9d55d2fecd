"""`make mutants`: make each mistake in a throw-away copy, run the tests that must notice, and say which did not.

Names as arguments take some of them (`make mutants MUTANTS="fence digest"`). The test that went red is run again without the mistake:
what is red then, too, has noticed nothing. The exit status is 0 only when everything was caught."""

import sys
import time
from collections.abc import Sequence

from tests.mutants.copy import Copy, Result, copied
from tests.mutants.listed import LISTED
from tests.mutants.mutation import Mutation

WORDS = {"red": "caught", "green": "NOT CAUGHT", "broken": "BROKEN"}


def main(wanted: Sequence[str]) -> int:
    """Judge all mutations, or those whose names or files hold one of the words."""
    chosen = [each for each in LISTED if not wanted or any(word in each.name or word in each.file for word in wanted)]
    lost = [each.name for each in chosen if each.times() != 1]
    if lost or not chosen:
        print(f"Nothing to change for: {', '.join(lost) or 'these words'}.")
        return 2
    with copied() as copy:
        judged = [_judge(copy, each) for each in chosen]
    missed = [each for each, result in judged if result.ended != "red"]
    for each, result in judged:
        if result.ended == "broken":
            print(f"\n{each.name} could not be judged:\n{result.said}")
    print(f"\n{len(judged) - len(missed)} of {len(judged)} caught.")
    return 1 if missed else 0


def _judge(copy: Copy, mutation: Mutation) -> tuple[Mutation, Result]:
    began = time.monotonic()
    if installed := mutation.file.endswith(".sql"):
        copy.migrate()
    text = mutation.apply(copy.root)
    try:
        if installed:
            copy.install(mutation.file)
        result = copy.run(mutation.tests)
    finally:
        mutation.undo(copy.root, text)
    if result.ended == "red" and (without := copy.run([result.first])).ended != "green":
        result = Result("broken", f"It is not green without the mistake, either.\n{without.said}")
    took = time.monotonic() - began
    print(
        f"{WORDS[result.ended]:<10} {took:5.0f} s  {mutation.name:<60} {mutation.file:<26} {result.first}", flush=True
    )
    return mutation, result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
