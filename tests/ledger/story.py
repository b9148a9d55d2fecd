"""A story in which nearly everything happens, so that every kind of row and entry is there to be forged."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from approvals.deciding.refusals import NotEligible
from console.database import rows
from console.http.evidence import Upload
from console.identity import administration, agents
from console.ledger.verification import Book, Table
from console.notices import channels, endpoints
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.waits.drafts import WaitDraft
from tests import cancels, hearing
from tests.breaking.glass import asked, break_it, broken, close, review, with_glass
from tests.cast import inside
from tests.checkpoints.keeping import keep, kept_by
from tests.compensation.records import by_hand
from tests.corrections import acknowledge, correct
from tests.delegating.handing import give as give_delegation
from tests.delegating.handing import take_back as take_back_delegation
from tests.grants import let_stand_in, revoked, standing
from tests.halting import EVERYTHING, lift, of_run, pause
from tests.hearing import told_of
from tests.limits import extend, use
from tests.pending import open_wait, signal, take_back, timer
from tests.record import BOOKS, forger
from tests.resuming.again import again
from tests.shop import Shop, draft, money
from tests.unsure import claim_it, find, unknown
from tests.work import WORKER, claim, claimed, end_leases, follow, settle

TABLES: dict[str, Table] = {table.name: table for book in BOOKS for table in book.tables}
# Another value of the same type and length, whatever the value is.
OTHER = {
    "text": "overlay({0} placing case left({0}, 1) when 'x' then 'y' else 'x' end from 1 for 1)",
    "integer": "{0} + 100", "boolean": "not {0}", "uuid": "gen_random_uuid()", "bytea": "sha256({0})",
    "timestamp with time zone": "{0} + interval '1 microsecond'", "numeric": "{0} + 0.000001",
    "text[]": "{0} || 'x'::varchar", "uuid[]": "{0} || gen_random_uuid()",
}  # fmt: skip
SOME = {
    "text": "'x'",
    "integer": "1",
    "boolean": "true",
    "uuid": "gen_random_uuid()",
    "bytea": "sha256('')",
    "timestamp with time zone": "now()",
}
ALIKE = {
    "character varying": "text", "bigint": "integer", "smallint": "integer", "character varying[]": "text[]",
}  # fmt: skip


@dataclass(frozen=True)
class Story:
    """The shop, and the ids of what it is about."""

    shop: Shop
    run: UUID
    closed: UUID

    def row(self, table: str) -> Any:
        """Give a row of a table, the one of which most is told."""
        with inside():
            model: Any = TABLES[table].model
            rows = list(model._default_manager.filter(**TABLES[table].only).order_by("pk"))
        return max(rows, key=_said)

    def book(self, table: str) -> Book:
        """Give the book that accounts for a table's rows."""
        return next(book for book in BOOKS for each in book.tables if each.name == table)

    def owner_stream(self, table: str, row: Any) -> str:
        """Give the stream that tells of a row."""
        return f"{self.book(table).noun}:{getattr(row, TABLES[table].owner)}"


def tell(shop: Shop) -> Story:
    """Let it happen: payments made, refused, asked about, lost, late, partial and replaced; a run completed and one given up."""
    run = shop.accept(
        draft("rent", "250", reason="The landlord asked."), draft("gas"), draft("tip", after=["gas"]), draft("never", "13", required=False),
        goal="Pay the house", run_type="lenient",
    )  # fmt: skip
    shop.approve(shop.request(run, "rent"), "ann")
    follow()
    rent, gas = claim()
    settle(gas, "rejected", http=422, reason="The account is closed.")
    end_leases(WORKER)
    settle(rent, "succeeded", result={"receipt": "r-1"})  # too late
    settle(claim(), "pending", delay=3600)
    shop.propose(run, draft("gas again", supersedes=shop.effect(run, "gas").pk))
    settle(claimed(), "accepted", http=202, reference="op-7", delay=0)
    settle(claimed(), "succeeded", result={"receipt": "g-2"})
    shop.complete(run, {"paid": "most"}, accepting=[shop.effect(run, "rent").pk])
    closed = shop.accept(draft("car", "300"), draft("boat", "2000"), goal="Pay for the fleet")
    with suppress(NotEligible):
        shop.approve(shop.request(closed, "car"), "oscar")
    shop.deny(shop.request(closed, "car"), "amir", "No cars.")
    follow()
    shop.fail(closed, "Nobody wants it.")
    found_out(shop)
    _told_of(shop)
    _paused(shop)
    _waited(shop)
    _kept(shop)
    _called_off(shop)
    _spent(shop)
    _resumed(shop)
    _heard_of(shop)
    take_back_delegation(shop, give_delegation(shop))
    _stood_in_for(shop)
    shop.apply(money(version=3))
    _broken(shop)
    shop.change("oscar", active=False)
    key, _ = administration.issue_key(shop.office, shop.agent, lasts=timedelta(days=1), scopes=["runs:read"])
    administration.revoke_key(shop.office, key.pk)
    agents.stop_agent(shop.office, shop.agent.pk, reason="It was too busy.", key="stop")
    agents.start_agent(shop.office, shop.agent.pk, reason="", key="start")
    endpoints.add(shop.office, "https://hooks.example/in", kinds=["effect.overdue"], key="endpoint")
    channels.add(
        shop.actor("ann"), "ntfys://ntfy.example/topic-of-ann", label="My telephone", own=True, kinds=[], tiers=["high"], key="channel",
    )  # fmt: skip
    return Story(shop, run, closed)


def found_out(shop: Shop) -> None:
    """Let a person look after an effect and find out that it happened, with a file beside the evidence."""
    effect = unknown(shop)
    claim_it(shop, effect)
    statement = Upload("statement.txt", "text/plain", b"10:02 paid 10 to bob")
    find(shop, effect, result={"receipt": "r-9"}, reference="r-9", link="https://bank.example/r-9", files=[statement])


def _spent(shop: Shop) -> None:
    """Let a run be corrected, use up what it may, and be given more."""
    run = shop.accept(draft("begun", "60"), draft("not", "70"), limits={"tokens": 100, "cost": "2.5"})
    row = claim(1)
    correct(shop, run, "At most 50.", operation="pay", argument="amount", must={"op": "lte", "value": 50})
    acknowledge(shop, run)
    use(shop, run, tokens=40, cost="2.500001")
    settle(row, "transient", http=503, delay=0)
    extend(shop, run, cost="1")


def _stood_in_for(shop: Shop) -> None:
    """Let a standing approval be used, by what happened and by what did not, and be revoked."""
    let_stand_in(shop)
    found = standing(shop, rate_most=9, rate_seconds=60)
    run = shop.accept(draft("flat", "250"), draft("plane", "300"))
    began = {row["key"]: row for row in claim() if row["run_id"] == run}
    settle(began["flat"])
    settle(began["plane"], "rejected", http=422)
    with inside():
        rows("select runs_settle_units(%s, 10)", [WORKER])
    revoked(shop, found)


def _broken(shop: Shop) -> None:
    """Let the glass be broken for a payment, closed and reviewed."""
    with_glass(shop, version=4)
    _, request = asked(shop)
    break_it(shop, request)
    close(shop, broken(request))
    review(shop, broken(request), "dora", justified=False, text="It could have waited.")


def _waited(shop: Shop) -> None:
    """Let a run wait for several things, of which some come, and hold an effect back for one that is taken back."""
    run = shop.accept(draft("first"))
    ended = shop.effect(run, "first").pk
    open_wait(
        shop,
        run,
        signal("paid", "order-7", name="money", parks=False, expires_seconds=600, on_expiry="fail"),
        timer(0, name="now"),
    )
    shop.propose(run, draft("then", after_waits=["money"]))
    open_wait(shop, run, WaitDraft("effects", {"effects": [str(ended)]}, name="done"), timer(60, name="later"))
    settle(claimed())
    take_back(shop, run, "money", "It will not be paid.")
    shop.complete(run)


def _kept(shop: Shop) -> None:
    """Let an agent keep its state, which claims too much, and let the old one go."""
    shop.apply(kept_by("keep: 1"))
    run = shop.accept(draft("fee", "250"), run_type="kept")
    for step in (1, 2):
        state: Any = {"step": step, "effects": [{"key": "fee", "state": "succeeded"}]}
        report: Any = {"name": "report", "reference": "s3://kept/report", "digest": "ab" * 32}
        keep(shop, run, state, artifacts=[report], versions={"model": "m-1"}, note="Asked.")


def _resumed(shop: Shop) -> None:
    """Let a run be resumed by its driver."""
    again(shop, shop.accept(draft("once more", operation="look")), epoch=1)


def _heard_of(shop: Shop) -> None:
    """Let a signal come before its wait, which takes it, and another one when the run has ended."""
    run = shop.accept(goal="Hear of the money")
    for word in ("it came", "and again"):
        receiving.send(shop.bot, SignalDraft("paid", "order-8", {"says": word}), key=f"story: {word}")
        if word == "it came":
            open_wait(shop, run, signal("paid", "order-8", name="money"))
            shop.complete(run)


def _told_of(shop: Shop) -> None:
    """Let the other side tell by itself what became of something, before it was answered, then, and once more when it had ended."""
    shop.apply(told_of("send"))
    run = shop.accept(draft("post", operation="send"))
    sent, effect = claimed(), shop.effect(run, "post")
    with hearing.agreed():
        hearing.tell(hearing.message(effect.pk, "pending"), slug=shop.tenant.slug)
        settle(sent, "accepted", http=202, reference="op-8", delay=3600)
        for status in ("committed", "refused"):
            hearing.tell(hearing.message(effect.pk, status, reason="No."), slug=shop.tenant.slug)


def _paused(shop: Shop) -> None:
    """Let a run and everything be paused, and go on."""
    run = shop.accept(draft("later"))
    for subject in (of_run(run), EVERYTHING):
        lift(shop, pause(shop, subject))
    settle(claim())


def _called_off(shop: Shop) -> None:
    """Let a run be cancelled while a call is in flight that turns out to have been made; and opened again."""
    cancels.with_stops(shop)
    run = shop.accept(draft("trip", operation="ship"), draft("dear", "250"), goal="Travel", run_type="tidy")
    row = claimed()
    cancels.cancel(shop, run, shop.bot)
    settle(row, "unknown", http=None, delay=0, step="status")
    settle(claimed(), "pending", to="unknown", delay=0, step="status")
    settle(claimed(), "succeeded", result={"receipt": "s-1"})
    cancels.stopped(shop, run)
    by_hand(shop.actor("ann"), run, shop.effect(run, "trip").pk, shop.members["ann"], shop.members["oscar"])
    cancels.reopen(shop, run)


@contextmanager
def altered(table: str, key: Any, column: str) -> Iterator[None]:
    """Let a column of a row say something else inside the block, behind every guard's back; its CHECKs are off already."""
    with forger() as hand:
        where = sql.SQL("where {} = {}").format(sql.Identifier(primary_key(hand, table)), sql.Literal(key))
        name = sql.SQL("{}.{}").format(sql.Identifier(table), sql.Identifier(column))
        kind = hand.execute(
            "select format_type(atttypid, null) from pg_attribute where attrelid = %s::regclass and attname = %s",
            [table, column],
        ).fetchone()
        assert kind is not None, (table, column)
        found = ALIKE.get(kind[0], kind[0])
        other = sql.SQL(OTHER[found]).format(name)
        some = sql.SQL(SOME.get(found, "null"))
        was = hand.execute(sql.SQL("select {} from {} {}").format(name, sql.Identifier(table), where)).fetchone()
        assert was is not None
        new = some if was[0] is None or was[0] == "" else other
        hand.execute(
            sql.SQL("update {} set {} = {} {}").format(sql.Identifier(table), sql.Identifier(column), new, where)
        )
        yield
        back = sql.SQL("update {} set {} = %s {}").format(sql.Identifier(table), sql.Identifier(column), where)
        hand.execute(back, [was[0]])


@contextmanager
def unchecked(hand: psycopg.Connection, table: str) -> Iterator[None]:
    """Take a table's CHECK constraints off inside the block."""
    found = hand.execute(
        "select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = %s::regclass and contype = 'c'",
        [table],
    ).fetchall()
    for name, _ in found:
        hand.execute(sql.SQL("alter table {} drop constraint {}").format(sql.Identifier(table), sql.Identifier(name)))
    try:
        yield
    finally:
        for name, definition in found:
            parts = sql.Identifier(table), sql.Identifier(name), sql.SQL(definition)
            hand.execute(sql.SQL("alter table {} add constraint {} {}").format(*parts))


def primary_key(hand: psycopg.Connection, table: str) -> str:
    """Give the name of a table's primary key."""
    found = hand.execute(
        "select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey) "
        "where i.indrelid = %s::regclass and i.indisprimary",
        [table],
    ).fetchone()
    assert found is not None
    return str(found[0])


def _said(row: Any) -> int:
    values = [getattr(row, field.attname) for field in row._meta.concrete_fields]
    return sum(value is not None and value != "" for value in values)
