"""The agent: what it does about one case, from beginning to end.

It keeps no notes. Every step has a key that follows from the case, and whoever proposes the same again is told what
became of it; so after a crash the agent just works the case from the top, and finds everything already done as it was."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from examples.agent.api import Api, Document, Refused
from examples.agent.cases import CLOSE_INVOICE, Case

OUR_ACCOUNT = "shop-current"
ENDED = frozenset({"succeeded", "rejected", "failed", "partial", "denied", "lapsed", "expired", "withdrawn"})
WAITING = {
    "awaiting_approval": "waits for a person to decide",
    "unknown": "may or may not have happened; people are finding out",
    "accepted": "was taken on by the other side, which will say when it is done",
}
Tell = Callable[[str], None]


class NotDone(Exception):
    """An effect that the case needs has ended without being done."""


def work(case: Case, api: Api, tell: Tell) -> None:
    """Work the case until it has ended, or until it is no longer ours to work."""
    try:
        run = api.open_run(case.key, case.kind, f"{case.story} Settle it.")
        if run.get("ended_at"):
            return
        try:
            result = settle(case, run, api, tell)
        except NotDone as why:
            api.fail(run, str(why))
            tell(f"given up: {why}")
        else:
            api.complete(run, result)
            tell("done")
    except Refused as refusal:
        # Someone else drives this run now, or it has ended, or something in it is for people to resolve: not ours to force.
        tell(f"left as it is: {refusal}")


def settle(case: Case, run: Document, api: Api, tell: Tell) -> Document:
    """Look the order up, then pay what is due; NotDone when something needed was not done."""

    def do(step: str, arguments: Document, reason: str) -> Document:
        effect = api.propose(run, f"{case.key}/{step}", step, arguments, reason)
        return until_done(effect, api, tell)

    order = do("lookup", {"order": case.order}, "To see what was bought and what was paid.")
    money = {"amount": share_of(order["total"], case.share), "currency": order["currency"]}
    if case.kind == CLOSE_INVOICE:
        payee = {"to": case.payee, "iban": case.iban, "invoice": case.invoice}
        reason = f"{case.story} It agrees with the order, which is {order['state']}."
        paid = do("transfer", {"from": OUR_ACCOUNT, **payee, **money}, reason)
    else:
        paid = do("refund", {"order": case.order, **money}, case.story)
    return {"order": case.order, **money, **paid}


def until_done(effect: Document, api: Api, tell: Tell) -> Document:
    """Follow an effect to its end and give its result; NotDone, with the reason, when the end is another one."""
    told = None
    while effect["state"] not in ENDED:
        if effect["state"] != told and effect["state"] in WAITING:
            tell(f"“{effect['summary']}” {WAITING[effect['state']]}")
        told = effect["state"]
        effect = api.await_news(effect)
    if effect["state"] != "succeeded":
        raise NotDone(how_it_ended(effect))
    tell(f"“{effect['summary']}” is done")
    return effect["result"] or {}


def how_it_ended(effect: Document) -> str:
    """Say in a sentence how an effect ended that was not done."""
    because = (effect.get("approval") or {}).get("reason") or effect.get("state_reason")
    words = {
        "denied": "was denied",
        "expired": "was not decided in time, so it was not done",
        "lapsed": "was approved but not begun in time, so it was not done",
        "rejected": "was refused by the other side",
        "partial": "was done only in part",
    }
    return f"“{effect['summary']}” {words.get(effect['state'], effect['state'])}" + (f": {because}" if because else ".")


def share_of(total: str, share: Decimal) -> str:
    """Give that share of an amount, exact to the cent; never a float."""
    return str((Decimal(str(total)) * share).quantize(Decimal("0.01"), ROUND_HALF_UP))
