"""A database with something in every table: a small company at work, by the product's own moves, so that its record holds."""

from contextlib import suppress
from datetime import timedelta

from django.test import Client
from uuid_utils.compat import uuid7

from console import database
from console.http.refusals import Refusal
from console.identity import administration
from console.ledger import beats
from console.notices import endpoints, posting, switching
from runs.models import Effect, Run
from runs.unknowns import resolving
from runs.unknowns.findings import Finding, Upload
from tests import errands, hearing
from tests.cast import Company, inside, later, open_acme, signed_in, work
from tests.superuser import hand
from tests.work import sweep

EMPTY = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1"

# Tables that no move of this file fills.
UNMOVED = (
    """insert into runs_pace (id, tenant_id, dependency_name, purpose, tokens, at)
       select gen_random_uuid(), id, 'bank', 'looks', 1, cf_now() from identity_tenant limit 1""",
)


class NotFilled(Exception):
    """A table has no row: add something to this file that makes one."""


def fill() -> None:
    """Fill an empty, migrated database."""
    acme = errands.with_errands(open_acme())
    decided(acme)
    undecided(acme)
    told(acme)
    by_other_hands(acme)
    over_the_wire(acme)
    told_of(acme)
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
    acme.deny("ann", acme.propose(acme.run("Pay the invoice", run_type="close-invoice"), "transfer"))
    acme.propose(acme.run("A small one"), amount="20")
    work("rejected", http=422, reason="The bank says no.")
    assert acme.stored(looked).state == "succeeded"


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
    switching.switch_mail(acme.actor("oscar"), on=False)
    with inside(acme.tenant.pk):
        posting.post(
            acme.tenant.pk, "effect.overdue", about=None, title="Refund 22.00 is unknown for too long", text="Find out.", path="/unknown",
            to_roles=["operator"], key="filled",
        )  # fmt: skip


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
    rows.execute("insert into auth_group (name) values ('everybody')")
    rows.execute(
        "insert into auth_group_permissions (group_id, permission_id) select g.id, min(p.id) from auth_group g, auth_permission p group by g.id"
    )
    rows.execute(
        "insert into django_admin_log (action_time, object_repr, action_flag, change_message, user_id) values (now(), 'seen', 2, '[]', %s)",
        [user],
    )
