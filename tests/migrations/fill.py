"""A database with something in every table: a small company at work, by the product's own moves, so that its record holds."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.test import Client
from uuid_utils.compat import uuid7

from approvals.delegating import giving
from approvals.granting import confirming, proposing
from approvals.granting.terms import Terms
from console import clock, database
from console.documents import load
from console.http.evidence import Upload
from console.http.refusals import Refusal
from console.identity import administration
from console.ledger import beats
from console.notices import channels, endpoints, posting, switching
from runs.cancelling.cancel import cancel_run
from runs.checkpoints import writing
from runs.checkpoints.draft import of_value
from runs.corrections import making
from runs.models import Effect, Run
from runs.pausing import deciding, pausing
from runs.pausing.pausing import Subject
from runs.resuming import resume
from runs.resuming.facts import Asked
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.unknowns import resolving
from runs.unknowns.findings import Finding
from runs.waits import opening
from runs.waits.drafts import WaitDraft
from tests import errands, hearing
from tests.breaking.glass import POLICY
from tests.cast import Company, claim, inside, later, open_acme, put_in_force, signed_in, work
from tests.compensation.records import by_hand
from tests.superuser import hand
from tests.work import sweep

EMPTY = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1"

# Tables that no move of this file fills.
UNMOVED = (
    """insert into runs_pace (id, tenant_id, dependency_name, purpose, tokens, at)
       select gen_random_uuid(), id, 'bank', 'looks', 1, cf_now() from identity_tenant limit 1""",
    """insert into approvals_spend (tenant_id, subject, meter, amount, at)
       select id, gen_random_uuid(), sha256('a sum'), 12.5, cf_now() from identity_tenant limit 1""",
)


STANDING = """
apiVersion: counterfoil/v1
kind: Policy
name: refunds
version: 1
description: Refunds are asked about, and a standing approval may stand in.
operations: [refund]
rules:
  - name: any
    then: ask
    ask: {groups: [finance], decide_within_seconds: 1800, use_within_seconds: 3600, grants: {uses: 10, within_seconds: 86400}}
otherwise: deny
"""


class NotFilled(Exception):
    """A table has no row: add something to this file that makes one."""


def fill() -> None:
    """Fill an empty, migrated database."""
    acme = errands.with_errands(open_acme())
    decided(acme)
    handed_over(acme)
    undecided(acme)
    told(acme)
    waited(acme)
    kept(acme)
    called_off(acme)
    resumed(acme)
    by_other_hands(acme)
    over_the_wire(acme)
    told_of(acme)
    signalled(acme)
    stopped(acme)
    corrected(acme)
    stood_in_for(acme)
    broken(acme)
    signed_in(acme.ann).get("/")
    beside_the_record(acme)
    with later(hours=2):
        sweep()  # deadlines pass, and what was asked expires
    empty = [
        name
        for (name,) in hand().execute(EMPTY).fetchall()
        if hand().execute(f'select exists (select from "{name}")').fetchone() == (False,)
    ]
    if empty:
        raise NotFilled(f"No row in {', '.join(empty)}.")


def decided(acme: Company) -> None:
    """Have a run that ended well, one that was denied, and one that failed."""
    run = acme.run("Make order 1042 right")
    looked, paid = acme.propose(run, "lookup"), acme.propose(run)
    work(result={"order": "1042", "note": "zwölf € — “so”"})
    acme.approve("ann", paid, "Seen.")
    work(result={"id": "r-1"})
    acme.complete(run, {"refunded": "120.00"})
    by_hand(acme.actor("ann"), run.pk, paid.pk, acme.ann, acme.oscar)
    acme.deny("ann", acme.propose(acme.run("Pay the invoice", run_type="close-invoice"), "transfer"))
    acme.propose(acme.run("A small one"), amount="20")
    work("rejected", http=422, reason="The bank says no.")
    assert acme.stored(looked).state == "succeeded"


def handed_over(acme: Company) -> None:
    """Have somebody decide in somebody's place for a while."""
    until = datetime.now(UTC) + timedelta(days=3)
    terms = giving.Terms(("refund",), ("finance",), None, until, "Away until Friday.")
    giving.give(acme.actor("amir"), acme.ann.pk, terms, key=f"delegate-{uuid7()}")


def undecided(acme: Company) -> None:
    """Have what is unknown, what waits for people, and what waits for its turn."""
    run = acme.run("Who knows", deadline_seconds=3600)
    first = acme.propose(run, amount="21")
    acme.propose(run, amount="22", after=[first])
    work("unknown", http=None)
    found_out(acme, first)
    asked = acme.propose(acme.run("Large"), amount="2000.00")
    acme.approve("amir", asked)
    with suppress(Refusal):  # who has decided is not asked again, and the refusal is kept
        acme.approve("amir", asked)


def found_out(acme: Company, effect: Effect) -> None:
    """Have a finding about it, with a file beside it, that waits for a second person."""
    statement = Upload("statement.txt", "text/plain", b"10:02 refund 21.00")
    finding = Finding("happened", evidence="The statement shows it.", files=(statement,))
    seen = acme.read(Run, effect.run_id).ledger_seq
    resolving.resolve(acme.actor("oscar"), effect.pk, finding, version=seen, key=f"found-{uuid7()}")


def told(acme: Company) -> None:
    """Have the bank tell by itself what became of something."""
    run = acme.run("Taken on", run_type="close-invoice")
    taken = acme.propose(run, "transfer")
    acme.approve("ann", taken)
    work("accepted", http=202)
    with hearing.agreed():
        body = hearing.message(taken.pk, "pending")
        assert hearing.tell(body, slug=acme.tenant.slug, operation="transfer").status_code == 202


def waited(acme: Company) -> None:
    """Have a run that waits for a time."""
    run = acme.run("Ask again tomorrow")
    tomorrow = WaitDraft("timer", {"after_seconds": 86400}, name="tomorrow")
    opening.open(acme.bot, run.pk, epoch=run.epoch, draft=tomorrow, key=f"wait-{uuid7()}")


def called_off(acme: Company) -> None:
    """Have a run that is being cancelled, which waits for what is in flight."""
    run = acme.run("Called off")
    acme.propose(run, amount="23")
    claim()
    cancel_run(acme.actor("oscar"), run.pk, reason="Nobody wants it.", key=f"cancel-{uuid7()}")


def kept(acme: Company) -> None:
    """Have an agent that keeps its state."""
    run = acme.run("Carry on from here")
    writing.keep(
        acme.bot, run.pk, epoch=run.epoch, draft=of_value({"step": 1}, schema_version=1), key=f"keep-{uuid7()}"
    )


def resumed(acme: Company) -> None:
    """Have a run that was resumed, with its token."""
    run = acme.run("Pick it up again")
    asked = Asked("second", {"model": "m-1", "workflow": "w-1"})
    resume.resume(acme.bot, run.pk, asked, key=f"resume-{uuid7()}", epoch=run.epoch)


def by_other_hands(acme: Company) -> None:
    """Have an effect that a person has begun."""
    errands.begun(acme, errands.call(acme))


def over_the_wire(acme: Company) -> None:
    """Have a request with its key and its answer."""
    with database.crossing_tenants():
        _, key = administration.issue_key(
            acme.by, acme.agent, lasts=timedelta(days=1), scopes=list(administration.SCOPES)
        )
        administration.issue_members_key(
            acme.by, acme.oscar, "the queue on the wall", lasts=timedelta(days=1), scopes=["recovery:read"]
        )
    body = {"run_type": "customer-case", "goal": "Over the wire", "effects": []}
    answer = Client().post(
        "/api/v1/runs", body, content_type="application/json",
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": str(uuid7())},
    )  # fmt: skip
    assert answer.status_code == 201, answer.content


def told_of(acme: Company) -> None:
    """Have a notice, with a copy for a member and a delivery to an endpoint; and somebody who wants no e-mail."""
    endpoints.add(acme.actor("dora"), "https://hooks.example/in", kinds=[], key=f"endpoint-{uuid7()}")
    channels.add(
        acme.actor("ann"),
        "ntfys://ntfy.example/topic",
        label="My telephone",
        own=True,
        kinds=[],
        tiers=[],
        key=f"channel-{uuid7()}",
    )
    switching.switch_mail(acme.actor("oscar"), on=False)
    with inside(acme.tenant.pk):
        posting.post(
            acme.tenant.pk, "effect.overdue", about=None, title="Refund 22.00 is unknown for too long", text="Find out.", path="/unknown",
            to_roles=["operator"], key="filled",
        )  # fmt: skip


def corrected(acme: Company) -> None:
    """Have a run that a user corrected."""
    run = acme.run("Make order 1043 right")
    acme.propose(run, amount="40")
    making.correct(
        acme.actor("oscar"),
        run.pk,
        text="Nothing is to be paid.",
        contradicts={"operation": "refund"},
        key=f"correct-{uuid7()}",
    )


def stood_in_for(acme: Company) -> None:
    """Let a standing approval stand in for what a policy asks about refunds, and use it."""
    put_in_force(acme.by, load(STANDING))
    with inside():
        ends_at = clock.now() + timedelta(days=1)
    terms = Terms("refund", "order:*", 5, ends_at, "Small refunds of the summer sale", acme.agent.pk)
    made = proposing.propose(acme.actor("ann"), terms, key="propose-grant")
    confirming.confirm(acme.actor("amir"), UUID(made["grant"]), key="confirm-grant")
    acme.propose(acme.run("Make order 1077 right"))
    claim()


def broken(acme: Company) -> None:
    """Have something released by breaking the glass, by somebody who has just proven who they are."""
    document = (
        POLICY.replace("[pay, wire]", "[transfer]").replace("name: money", "name: transfers", 1).format(version=1)
    )
    put_in_force(acme.by, load(document))
    asked = acme.request(acme.propose(acme.run("Pay the invoice at once", run_type="close-invoice"), "transfer"))
    with inside():
        proven = replace(acme.actor("ann"), stepped_up_at=clock.now())
    deciding.break_glass(
        proven, asked.pk, shown_digest=asked.subject_digest.hex(), target=asked.target, reason="The house floods.", seconds=300,
        key="break-glass",
    )  # fmt: skip


def stopped(acme: Company) -> None:
    """Have a run that is paused."""
    subject = Subject("run", run=acme.run("Wait for the customer").pk)
    pausing.pause(acme.actor("oscar"), subject, reason="The customer calls back.", key=f"pause-{uuid7()}")


def signalled(acme: Company) -> None:
    """Have a signal that is kept for a wait, which nobody has opened."""
    receiving.send(acme.bot, SignalDraft("customer-replied", "1042", {"text": "It came."}), key="filled-signal")


def beside_the_record(acme: Company) -> None:
    """Have what no move writes: signs of life, counts, and what Django and allauth keep."""
    with inside():
        beats.beat("clock")
    rows = hand()
    rows.execute("insert into ledger_tally (name, labels, value) values ('refusals', '{}', 1) on conflict do nothing")
    for sql in UNMOVED:
        rows.execute(sql)
    user = acme.ann.user_id
    rows.execute(
        "insert into account_emailaddress (user_id, email, verified, \"primary\") values (%s, 'ann@acme.example', true, true)",
        [user],
    )
    rows.execute(
        "insert into account_emailconfirmation (created, sent, key, email_address_id) select now(), now(), 'k', id from account_emailaddress"
    )
    rows.execute(
        "insert into mfa_authenticator (user_id, type, data, created_at) values (%s, 'recovery_codes', '{}', now())",
        [user],
    )
    rows.execute(
        """insert into identity_stepup (id, tenant_id, member_id, digest, method, at, expires_at)
           select gen_random_uuid(), tenant_id, id, sha256('proof'), 'password', now(), now() + interval '5 minutes'
           from identity_member limit 1"""
    )
    rows.execute(
        "insert into identity_remembered (key, value, expires_at) values ('tries', '1', now() + interval '1 hour')"
    )
    rows.execute("insert into auth_group (name) values ('everybody')")
    rows.execute(
        "insert into auth_group_permissions (group_id, permission_id) select g.id, min(p.id) from auth_group g, auth_permission p group by g.id"
    )
    rows.execute(
        "insert into django_admin_log (action_time, object_repr, action_flag, change_message, user_id) values (now(), 'seen', 2, '[]', %s)",
        [user],
    )
