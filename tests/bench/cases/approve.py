"""How long it takes from a click on approve until the bank sees the call, also while a slow call occupies the only worker."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.ground import Ground, Product
from tests.bench.machine import Watch
from tests.bench.peers.ours import PASSWORD
from tests.bench.program import Program, python
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace, Rep, quietly
from tests.bench.teller import Teller
from tests.bench.visitor import Visitor, wait_for
from tests.processes import free_port

BETWEEN_SECONDS = 0.1


@contextmanager
def web(product: Product) -> Iterator[tuple[Program, int]]:
    """Have the web server run, as `make up` runs it."""
    port = free_port()
    server = ("-m", "uvicorn", "console.asgi:application", "--host", "127.0.0.1", "--port", str(port))
    quiet = ("--no-access-log", "--log-level", "warning", "--timeout-graceful-shutdown", "3")
    with Program("web", python(*server, *quiet), product.variables, product.ground.logs) as running:
        wait_for(port, "/health", seconds=60)
        yield running, port


def clicks(product: Product, visitor: Visitor, how_many: int, name: str) -> list[float]:
    """Click so many times; give the milliseconds from each click to the call at the bank."""
    taken = []
    for number in range(how_many):
        asked = product.ask("one", operation="ask", name=f"{name}-{number}")
        time.sleep(BETWEEN_SECONDS)
        clicked = visitor.approve(asked["request"])
        came = product.ground.teller.arrival(f"{name}-{number}")
        if came is None:
            raise RuntimeError("The bank saw no call within 30 s of the click.")
        taken.append(round((came - clicked) / 1e6, 1))
    return taken


def repetition(product: Product, server: Program, visitor: Visitor, how_many: int, name: str, *, slow: bool) -> Rep:
    """Click so many times; with `slow`, while the bank takes 30 seconds for another call of the same worker."""
    teller = product.ground.teller
    wait_until_in_flight(teller, 0)  # a slow call of the round before
    if slow:
        product.ask("one", operation="linger", name=f"{name}-slow")
        wait_until_in_flight(teller, 1)
    with Watch({**product.groups(), "web": [server.pid]}) as watch:
        taken = clicks(product, visitor, how_many, name)
    if slow and not teller.counts()["in_flight"]:
        raise RuntimeError("The slow call ended before the clicks did.")
    return Rep(middle(taken), watch.others, {"milliseconds": taken})


def wait_until_in_flight(teller: Teller, calls: int) -> None:
    """Wait until the bank has so many calls in hand. Raises RuntimeError."""
    until = time.monotonic() + 40
    while teller.counts()["in_flight"] != calls:
        if time.monotonic() > until:
            raise RuntimeError(f"The bank never had {calls} calls in hand.")
        time.sleep(0.02)


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Click in rounds, by turns with and without a slow call in flight."""
    how_many = pace.size(10, 3)
    reps: dict[bool, list[Rep]] = {False: [], True: []}
    with ground.product(workers=1) as product, web(product) as (server, port):
        visitor = Visitor(port)
        visitor.sign_in("ann@bench.example", PASSWORD)
        clicks(product, visitor, 3, "warm")
        product.settle()
        clicks(product, visitor, 3, "warm-again")
        taken = 0
        for number in range(1, pace.rounds + 1):
            for slow in (False, True):

                def take(slow: bool = slow) -> Rep:
                    nonlocal taken
                    taken += 1
                    return repetition(product, server, visitor, how_many, f"click-{taken}", slow=slow)

                reps[slow].append(quietly(take, pace))
                print(f"    round {number}, slow call in flight {slow}: {reps[slow][-1].value:g} ms", flush=True)
    return [summed("approve click to the bank's call", reps[False], ""),
            summed("approve click to the bank's call, slow call in flight", reps[True],
                   " Meanwhile the bank takes 30 s for another call of the same worker.")]  # fmt: skip


def summed(name: str, reps: list[Rep], more: str) -> Measure:
    """Sum the clicks of all rounds up."""
    values = [each for rep in reps for each in rep.facts["milliseconds"]]
    return Measure(
        "approve", name, middle(values), "ms",
        "The card's form sent to the web server by HTTP as a browser with JavaScript does, until the bank reads the call; one worker, "
        f"one web server, medians of all clicks.{more}",
        values, sum(rep.noisy for rep in reps), {"others_cores": [rep.others for rep in reps]},
    )  # fmt: skip
