"""The agent: what it does about one case, from beginning to end.

It keeps no notes. Every step has a key that follows from the case, and whoever proposes the same again is told what
became of it. After a crash another process resumes the run: the brief says what is done and with which result, what is
under way and what may have happened, so that it works the case from the top and begins only what was not begun."""

import time
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from itertools import count
from pathlib import Path

from examples.agent.api import Api, Document, Refused
from examples.agent.cases import (
    CLOSE_DAY,
    CLOSE_INVOICE,
    CORRESPONDENCE,
    GOODWILL,
    HURRY_SECONDS,
    RATES,
    SALE,
    TRIP,
    Case,
)
from examples.agent.letters import PostBook, perform

OUR_ACCOUNT = "shop-current"
ENDED = frozenset({"succeeded", "rejected", "failed", "partial", "denied", "lapsed", "expired", "withdrawn"})
WAITING = {
    "awaiting_approval": "waits for a person to decide",
    "unknown": "may or may not have happened; people are finding out",
    "accepted": "was taken on by the other side, which will say when it is done",
}
GOES_ON = frozenset({"continue", "replan"})
PARTS = {
    "known": ("done", "not_done"), "uncertain": ("unknown", "in_flight", "partial"), "authorised": ("awaiting_approval", "not_begun"),
}  # fmt: skip
LOOKS_AGAIN_SECONDS = 10.0
FOR_A_PERSON = "waits for a person to do it"
SECOND_THOUGHTS_SECONDS = 20.0
Tell = Callable[[str], None]


class NotDone(Exception):
    """An effect that the case needs has ended without being done."""

    def __init__(self, effect: Document) -> None:
        super().__init__(how_it_ended(effect))
        self.effect = effect


class CalledOff(Exception):
    """The case is not wanted any more; what was done about it is to be made good for, as its contracts say."""


def work(case: Case, api: Api, tell: Tell, letters: Path = Path("letters")) -> None:
    """Work the case until it has ended, or until it is no longer ours to work."""
    try:
        run = api.open_run(case.key, case.kind, f"{case.story} Settle it.")
        if run.get("ended_at"):
            return
        begun: dict[str, Document] = {}
        if run.get("holder") != api.holder:  # another process began it
            found = take_up(run, api, tell)
            if found is None:
                return
            run, begun = found
        errand = Errand(case, run, api, PostBook(letters), tell, begun)
        try:
            result = SETTLE.get(case.kind, settle_order)(errand)
        except (NotDone, CalledOff) as why:
            api.fail(run, str(why))
            tell(f"given up: {why}")
        else:
            api.complete(run, result, errand.unresolved)
            tell("done")
    except Refused as refusal:
        # Someone else drives this run now, or it has ended, or something in it is for people to resolve: not ours to force.
        tell(f"left as it is: {refusal}")


def take_up(run: Document, api: Api, tell: Tell) -> tuple[Document, dict[str, Document]] | None:
    """Resume a run that another process began, once that one has let it go or is gone; None when it is not to go on.

    Gives the run with our token, and what the brief says was begun, by key."""
    told = ""
    for attempt in count(1):
        try:
            resumed = api.resume(run, attempt)
        except Refused as refusal:
            if refusal.code != "run_held":
                raise
            words = f"another process still has it: {refusal.problem.get('holder')}"
            wait = float(refusal.problem.get("retry_after", 1))
        else:
            if resumed["decision"] in GOES_ON:
                tell(f"taken up again, with token {resumed['epoch']}")
                return {**run, "epoch": resumed["epoch"]}, listed(resumed["brief"])
            words, wait = f"not to go on: {resumed['reason']}", 0
            if resumed["decision"] == "terminate":
                tell(words)
                return None
        if words != told:
            tell(words)
            told = words
        if wait:
            time.sleep(min(wait, LOOKS_AGAIN_SECONDS))
        else:
            run = {**run, **api.await_run(api.read_run(run))}
    return None


def listed(brief: Document) -> dict[str, Document]:
    """Give the effects that a brief lists, by key. It is bounded: one that it leaves out is found again by its key."""
    lists = [brief[part][name] for part, names in PARTS.items() for name in names]
    return {effect["key"]: effect for each in lists for effect in each["first"]}


class Errand:
    """A case with its run: what it takes to do one step of it."""

    def __init__(
        self, case: Case, run: Document, api: Api, post: PostBook, tell: Tell, begun: dict[str, Document]
    ) -> None:
        self.case, self.run, self.api, self.post, self.tell = case, run, api, post, tell
        self.begun = begun  # what the brief says of, by key
        self.unresolved: list[str] = []  # effects that the run ends with by name
        self._carried_out: set[tuple[str, int]] = set()

    def do(
        self, operation: str, arguments: Document, reason: str, *, step: str = "", within: int | None = None
    ) -> Document:
        """Propose a step and follow it to its end; NotDone, with the reason, when it was not done."""
        return self.follow(self.propose(operation, arguments, reason, step=step, within=within))

    def propose(
        self, operation: str, arguments: Document, reason: str, *, step: str = "", within: int | None = None
    ) -> Document:
        """Propose a step; its key is the case's and the step's name, so that proposed again it is the same."""
        key = f"{self.case.key}/{step or operation}"
        if (begun := self.begun.get(key)) is not None:
            is_whole = begun["state"] == "succeeded" and isinstance(begun.get("result"), dict)
            return begun if is_whole else self.api.look(begun)
        return self.api.propose(self.run, key, operation, arguments, reason, within)

    def follow(self, effect: Document) -> Document:
        """Follow an effect to its end and give its result; what is ours to do is done on the way."""
        told = None
        while effect["state"] not in ENDED:
            if effect["state"] != told and (words := self._waiting(effect)):
                self.tell(f"“{effect['summary']}” {words}")
            told = effect["state"]
            if effect.get("executor") == "agent" and told in {"ready", "dispatched"}:
                self._perform(effect)
            effect = self.api.await_news(effect)
            self.api.renew(self.run)
        if effect["state"] != "succeeded":
            raise NotDone(effect)
        self.tell(f"“{effect['summary']}” is done")
        return effect["result"] or {}

    def _waiting(self, effect: Document) -> str | None:
        if effect.get("executor") == "human" and effect["state"] == "ready":
            return FOR_A_PERSON
        return WAITING.get(effect["state"])

    def _perform(self, effect: Document) -> None:
        # The number names this attempt: one that was begun before a crash is found again, and a new one is new.
        effect = self.api.look(effect)
        number = len(effect["attempts"]) + (effect["state"] == "ready")
        if (effect["id"], number) in self._carried_out:
            return
        self._carried_out.add((effect["id"], number))
        try:
            perform(effect, number, self.run, self.api, self.post, self.tell, self.case.wrinkle)
        except Refused as refusal:
            if refusal.code != "not_ready":
                raise
            self._carried_out.discard((effect["id"], number))
            time.sleep(1)  # it is tried again later


def settle_order(errand: Errand) -> Document:
    """Look the order up, then pay what is due."""
    case = errand.case
    order = errand.do("lookup", {"order": case.order}, "To see what was bought and what was paid.")
    money = {"amount": share_of(order["total"], case.share), "currency": order["currency"]}
    if case.kind == CLOSE_INVOICE:
        payee = {"to": case.payee, "iban": case.iban, "invoice": case.invoice}
        reason = f"{case.story} It agrees with the order, which is {order['state']}."
        paid = errand.do("transfer", {"from": OUR_ACCOUNT, **payee, **money}, reason)
    elif case.kind == GOODWILL:
        paid = errand.do("credit", {"order": case.order, **money}, case.story)
    else:
        paid = errand.do("refund", {"order": case.order, **money}, case.story)
    return {"order": case.order, **money, **paid}


def answer_customer(errand: Errand) -> Document:
    """Look the order up; then write to the customer, which the agent does itself, or leave the call to a person."""
    case = errand.case
    order = errand.do("lookup", {"order": case.order}, "To see what the customer means.")
    about = {"order": case.order, "customer": order["customer"]}
    if case.by_phone:
        subject = case.story.partition("because ")[2].rstrip(".") or case.story
        called = {**about, "subject": subject, "paid": order["total"], "currency": order["currency"]}
        return errand.do("call_customer", called, case.story, within=HURRY_SECONDS if case.wrinkle == "hurry" else None)
    text = f"Dear {order['customer']},\n\nthank you for asking. Your order is {order['state']}.\n\nYours, the shop"
    letter = {**about, "subject": "your question", "text": text}
    return errand.do("letter", letter, case.story)


def book_trip(errand: Errand) -> Document:
    """Book the stay; give it back when the trip is called off, or take the booking back before anybody allowed it."""
    case = errand.case
    amount = str(Decimal(RATES[case.house]) * case.nights)
    stay = {"house": case.house, "guest": case.guest, "arrival": case.arrival, "nights": case.nights, "amount": amount}
    booking = errand.propose("booking", stay, case.story)
    if case.wrinkle == "off early" and booking["state"] == "awaiting_approval":
        time.sleep(SECOND_THOUGHTS_SECONDS)
        errand.tell("the trip is off before the booking was allowed")
        _take_back(errand, booking)
    booked = errand.follow(booking)
    if case.wrinkle != "off":
        return booked
    off = {"booking": booked["booking"], "reason": "The trip is off."}
    return {**booked, **errand.do("cancel_booking", off, "Nobody travels, so the room is given back.")}


def _take_back(errand: Errand, booking: Document) -> None:
    try:
        errand.api.withdraw(errand.run, booking, "The trip is off.")
    except Refused as refusal:
        errand.tell(f"too late to take it back: {refusal}")


def close_day(errand: Errand) -> Document:
    """Bring the day's payments into one currency and have them settled; payments that are left out are named."""
    case = errand.case
    rates = {"EUR": Decimal(1)}
    for currency in sorted({currency for _, _, currency in case.payments} - rates.keys()):
        asked = {"currency": currency, "day": case.day}
        found = errand.do("exchange_rate", asked, f"To bring {currency} into EUR.", step=f"rate-{currency}")
        rates[currency] = Decimal(str(found["rate"]))
    lines = [
        (reference, (amount * rates[currency]).quantize(CENT, ROUND_HALF_UP))
        for reference, amount, currency in case.payments
    ]
    page = settled(case, lines)
    try:
        return errand.do("settlement", page, case.story)
    except NotDone as why:
        if why.effect["state"] != "partial":
            raise
        if case.wrinkle != "left open":  # then nobody has said that the day may end so
            errand.tell("part of the day is left out, and the run says so")
            errand.unresolved.append(why.effect["id"])
        return {"day": case.day, **(why.effect["result"] or {})}


def settled(case: Case, lines: list[tuple[str, Decimal]]) -> Document:
    """Write down what is to be settled, with what is wrong about this day."""
    if case.wrinkle in {"typo", "left open"}:
        lines = [(lines[0][0], Decimal("0.00")), *lines[1:]]
    if case.wrinkle == "slow books":
        lines = [(f"TAPE-{reference}", amount) for reference, amount in lines]
    total = sum((amount for _, amount in lines), Decimal(0))
    return {
        "day": case.day,
        "payments": [{"reference": reference, "amount": str(amount)} for reference, amount in lines],
        "total": str(total + Decimal("9.00") if case.wrinkle == "wrong total" else total),
        "currency": "GBP" if case.wrinkle == "in pounds" else "EUR",
    }


def sell(errand: Errand) -> Document:
    """Reserve, charge and tell the customer. When the sale is off the run is given up, and what was done is made good for by itself."""
    case = errand.case
    money = {"account": case.account, "amount": case.price}
    held = errand.do("reserve", money, case.story)
    charged = errand.do("charge", money, "The goods are packed.")
    told = errand.do(
        "tell", {"account": case.account, "text": "Your parcel is on its way."}, "So that somebody is there."
    )
    if case.wrinkle:
        closed = " The account is closed." if case.wrinkle == "closed" else ""
        raise CalledOff(f"The customer does not want it any more.{closed}")
    return {**held, **charged, **told}


def how_it_ended(effect: Document) -> str:
    """Say in a sentence how an effect ended that was not done."""
    because = (effect.get("approval") or {}).get("reason") or effect.get("state_reason")
    words = {
        "denied": "was denied",
        "expired": "was not decided in time, so it was not done",
        "lapsed": "was approved but not begun in time, so it was not done",
        "rejected": "was refused by the other side",
        "partial": "was done only in part",
        "withdrawn": "was taken back before it was begun",
    }
    if effect.get("executor") == "human":
        words["expired"] = "was begun by nobody in time, so it was not done"
    return f"“{effect['summary']}” {words.get(effect['state'], effect['state'])}" + (f": {because}" if because else ".")


def share_of(total: str, share: Decimal) -> str:
    """Give that share of an amount, exact to the cent; never a float."""
    return str((Decimal(str(total)) * share).quantize(CENT, ROUND_HALF_UP))


CENT = Decimal("0.01")
SETTLE: dict[str, Callable[[Errand], Document]] = {
    CORRESPONDENCE: answer_customer,
    TRIP: book_trip,
    CLOSE_DAY: close_day,
    SALE: sell,
}
