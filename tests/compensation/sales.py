"""Sales of the shop at the example bank, which can be asked what is reserved, charged and told: the example contracts, in a hurry."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cache
from itertools import count
from typing import Any
from uuid import UUID

from django.db.models import Q

from compensation.models import WorkItem
from compensation.states import FOR_PERSON, ITEM_OPEN, NEEDS_SOMEBODY, WAITING
from console.env import BASE_DIR
from console.exact import decode
from runs.drafts import EffectDraft
from runs.effect_keys import effect_key
from runs.models import Effect, Run
from runs.states import RUN_ENDED
from tests.cast import inside
from tests.compensation import byhand
from tests.processes import until
from tests.shop import Shop
from tests.work import sweep

UNDONE_BY = {"reserve": "release", "charge": "pay_back", "tell": "correct"}
PLACES = {"reserve": "/reservations", "charge": "/charges", "tell": "/notices"}
DEEDS = {"reserve": "release", "charge": "refund", "tell": "correction"}
NAMES = {"reserve": "reservation", "charge": "charge", "tell": "notice"}
PREFIXES = {"reserve": "rs_", "charge": "ch_", "tell": "nt_"}
_accounts = count(1)


@cache
def contracts() -> str:
    """Give the example contracts of a sale; what they wait for in minutes is waited for in moments."""
    text = (BASE_DIR / "examples" / "contracts" / "sale.yaml").read_text(encoding="utf-8")
    text = text.replace("base_seconds: 0.5", "base_seconds: 0.05").replace("every_seconds: 5", "every_seconds: 1")
    return re.sub(r"attempt_timeout_seconds: \d+", "attempt_timeout_seconds: 20", text)


def with_sales(shop: Shop) -> Shop:
    """Put them in force in the shop, in which amir answers for support too."""
    shop.change("amir", groups=["finance", "support"])
    refused = [applied for applied in shop.apply(contracts()) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def account() -> str:
    """Give an account that nothing was done to."""
    return f"customer-{next(_accounts)}"


def said(operation: str, number: int, of: str) -> dict[str, Any]:
    """Give the arguments of a step; each has an amount, or a text, of its own."""
    more = {"text": f"Notice {number}."} if operation == "tell" else {"amount": f"{60 + number}.00"}
    return {"account": of, **more}


def sale(shop: Shop, operations: Sequence[str], of: str, **run: Any) -> UUID:
    """Have the shop sell something in these steps, side by side; the key of each says which it is."""
    steps = [EffectDraft(f"{name}-{n}", name, said(name, n, of)) for n, name in enumerate(operations, 1)]
    return shop.accept(*steps, run_type="sale", **run)


def effects(run: UUID) -> list[Effect]:
    """Read the effects of a run, in order."""
    with inside():
        return list(Effect.objects.filter(run=run).order_by("number"))


def items(*runs: UUID) -> list[WorkItem]:
    """Read the work items of runs, in order."""
    with inside():
        found = WorkItem.objects.filter(run__in=runs).select_related("effect", "acting", "run")
        return list(found.order_by("run", "number"))


def undone_at(effect: Effect) -> str:
    """Give where at the bank an effect that was done is made good for."""
    name = effect.operation_name
    return f"{read_at(effect)}/{DEEDS[name]}"


def read_at(effect: Effect) -> str:
    """Give where at the bank what an effect made is read."""
    name, result = effect.operation_name, told(effect)
    return f"{PLACES[name]}/{result[NAMES[name]]}"


def told(effect: Effect) -> Any:
    """Give the result of an effect."""
    return decode(effect.result.encode()) if effect.result else {}


def needs_somebody(runs: Sequence[UUID]) -> list[WorkItem]:
    """Read the items of runs that go no further by themselves."""
    stuck = Q(state__in=NEEDS_SOMEBODY) | Q(state=WAITING, waits_for=FOR_PERSON)
    with inside():
        return list(WorkItem.objects.select_related("effect", "acting").filter(stuck, run__in=runs).order_by("pk"))


def worked_off(runs: Sequence[UUID], person: Callable[[WorkItem], None], seconds: float = 180) -> bool:
    """Let the clock pass while a shift works, and have somebody see to each item that needs somebody, until all of it is over."""

    def over() -> bool:
        sweep()
        for item in needs_somebody(runs):
            person(item)
        with inside():
            ended = not Run.objects.filter(pk__in=runs).exclude(state__in=RUN_ENDED).exists()
            return ended and not WorkItem.objects.filter(run__in=runs, state__in=ITEM_OPEN).exists()

    return until(over, seconds)


def what_the_record_says(*runs: UUID) -> dict[str, Any]:
    """Reckon from the record alone what the bank must say of the account that runs were about."""
    with inside():
        listed = list(Effect.objects.filter(run__in=runs, state__in=["succeeded", "partial"]))
    done = {
        name: [each for each in listed if each.operation_name == name] for name in (*UNDONE_BY, *UNDONE_BY.values())
    }
    held, charged = (sum(map(_amount, done[name]), Decimal()) for name in ("reserve", "charge"))
    let_go = sum((Decimal(told(each)["released"]) for each in done["release"]), Decimal())
    back, fees = (
        sum((Decimal(told(each)[what]) for each in done["pay_back"]), Decimal()) for what in ("given_back", "fee")
    )
    corrected = [each for each in done["correct"] if each.state == "succeeded"]
    return {
        "reserved": held - let_go, "charged": charged, "given_back": back, "fees": fees, "paid": charged - back,
        "notices_standing": len(done["tell"]) - len(corrected),
    }  # fmt: skip


def what_the_bank_says(account: dict[str, Any], others: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """Give what the bank says of an account, without what somebody else did to it."""
    found = {name: Decimal(value) for name, value in account.items() if name != "account"}
    for each in others:
        back, fee, about = Decimal(each["given_back"]), Decimal(each["fee"]), each["about"]
        kind = next(name for name, prefix in PREFIXES.items() if about.startswith(prefix))
        if kind == "charge":
            found |= {
                "given_back": found["given_back"] - back,
                "fees": found["fees"] - fee,
                "paid": found["paid"] + back,
            }
        elif kind == "reserve":
            found["reserved"] += back
        else:
            found["notices_standing"] += 1
    return found


def keys_of(*runs: UUID) -> set[str]:
    """Give the keys under which the bank knows the effects of runs."""
    with inside():
        return {effect_key(pk) for pk in Effect.objects.filter(run__in=runs).values_list("pk", flat=True)}


def _amount(effect: Effect) -> Decimal:
    said: Any = decode(effect.arguments.encode())
    return Decimal(said["amount"])


def see_to(shop: Shop, item: WorkItem, how: str) -> None:
    """Have somebody try an item again, resolve it by hand or waive it, with a second person where its contract wants one."""
    if how == "retry":
        byhand.retry(shop, item)
        return
    said = {"left": [left_by(item)]} if how == "resolve" else {"reason": left_by(item)}
    ending = getattr(byhand, how)(shop, item, **said)
    if ending["needs_second"]:
        byhand.confirm(shop, ending)


def left_by(item: WorkItem) -> str:
    """Say what remains of an item that people ended."""
    return f"Somebody saw to item {item.number}."
