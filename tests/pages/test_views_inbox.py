"""The inbox: what waits for whom, in which order, gathered by run, narrowed, counted by the query that lists it, read page by page."""

import re
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from uuid_utils.compat import uuid7

from console.database import rows
from console.identity.models import Member
from runs.models import Effect, Run
from tests import databases
from tests.cast import Company, inside, later, signed_in
from tests.pages.browsing import HTMX, text, walk

ROW = r'<li id="row-([^"]+)"'


def listed(browser: Client, address: str = "/approvals") -> list[str]:
    """Give the requests on a page of the inbox, in its order."""
    return re.findall(ROW, browser.get(address).content.decode())


def ids(*effects: Effect) -> list[str]:
    """Give the requests that effects stand on."""
    return [str(effect.request_id) for effect in effects]


@pytest.fixture
def three(acme: Company) -> tuple[Effect, Effect, Effect]:
    """A refund that has 30 minutes, a transfer of the high tier that has four hours, and a refund that has three days."""
    far = acme.propose(acme.run("c"), order="9001")
    high = acme.propose(acme.run("b", run_type="close-invoice"), "transfer")
    near = acme.propose(acme.run("a"))
    return near, high, far


def test_tiers_are_seen_and_within_each_the_nearest_deadline_comes_first(
    acme: Company, three: tuple[Effect, Effect, Effect]
) -> None:
    near, high, far = three
    page = signed_in(acme.ann).get("/approvals").content.decode()
    assert re.findall(ROW, page) == ids(high, near, far)
    assert re.findall(r'id="group-\d">(\w+ tier)', page) == ["High tier", "Normal tier"]
    assert f'action="/approvals/{high.request_id}/decide"' in page, "the first is open beside the list"


def test_another_order_is_kept_for_the_next_visit(acme: Company, three: tuple[Effect, Effect, Effect]) -> None:
    near, high, far = three
    ann = signed_in(acme.ann)
    for sort, order in {"deadline": (near, high, far), "created": (far, high, near), "tier": (high, near, far)}.items():
        assert listed(ann, f"/approvals?sort={sort}") == ids(*order)
        assert listed(ann) == ids(*order), "kept"
    assert "Decide soon" in text(ann.get("/approvals?sort=deadline"))
    ann.cookies["inbox-sort"] = "nonsense"
    assert listed(ann) == ids(high, near, far)


@pytest.mark.parametrize("sort", ["tier", "deadline", "created"])
def test_a_long_inbox_is_read_page_by_page(acme: Company, monkeypatch: pytest.MonkeyPatch, sort: str) -> None:  # XPT-06
    run, invoice = acme.run(), acme.run(run_type="close-invoice")
    made = {str(acme.propose(run, order=str(number)).request_id) for number in range(7)}
    made |= {str(acme.propose(invoice, "transfer", invoice=str(number)).request_id) for number in range(4)}
    with inside(acme.tenant.pk):
        moment = rows("select cf_now() + interval '10 minutes' as moment")[0]["moment"]
        rows(
            "update approvals_request set decide_by = %s, created_at = cf_now() - interval '1 hour' where tenant_id = %s returning id",
            [moment, acme.tenant.pk],
        )
    monkeypatch.setattr("console.pages.queue.SHOWN", 3)
    found = walk(signed_in(acme.ann), f"/approvals?sort={sort}", ROW)
    assert (sorted(found), len(found)) == (sorted(made), 11)


def test_what_one_run_asks_stands_together_each_to_be_decided(acme: Company) -> None:
    run = acme.run("Settle case 4711")
    first, second = acme.propose(run, order="1"), acme.propose(run, order="2")
    acme.propose(run, currency="USD")  # asked of support
    alone = acme.propose(acme.run("Another"))
    page = signed_in(acme.ann).get("/approvals").content.decode()
    assert "2 of 3 from this run" in page
    assert page.count("from this run") == 1
    assert re.findall(ROW, page) == ids(first, second, alone)
    assert page.count('name="request" value=') == 3, "each may be selected by itself"


def test_the_inbox_is_narrowed(acme: Company, three: tuple[Effect, Effect, Effect]) -> None:
    near, high, far = three
    ann = signed_in(acme.ann)
    assert listed(ann, "/approvals?tier=high") == ids(high)
    assert listed(ann, "/approvals?operation=refund") == ids(near, far)
    assert listed(ann, f"/approvals?agent={acme.agent.pk}&tier=normal") == ids(near, far)
    assert listed(ann, "/approvals?group=finance") == ids(high, near, far)
    assert "2 as asked" in text(ann.get("/approvals?operation=refund"))
    for nothing in ("group=support", f"agent={uuid7()}", "right=handed_over", "operation=nothing", "tier=low"):
        page = ann.get(f"/approvals?{nothing}")
        assert "No request matches." in text(page)
        assert "Show all requests" in text(page)
    for wrong in (
        "tier=huge",
        "agent=x",
        "right=royal",
        "sort=random",
        "whose=nobodys",
        "after=high~x",
        "after=low",
        "what=1",
    ):
        assert ann.get(f"/approvals?{wrong}").status_code == 400, wrong


def test_a_refresh_asks_for_what_the_page_was_asked_for(acme: Company, three: tuple[Effect, Effect, Effect]) -> None:
    ann = signed_in(acme.ann)
    page = ann.get("/approvals?tier=high").content.decode()
    address = re.findall(r'data-merges hx-get="([^"]+)"', page)[0].replace("&amp;", "&")
    part = ann.get(address, headers={**HTMX, "HX-Target": "list"}).content.decode()
    assert re.findall(ROW, part) == ids(three[1])
    assert 'id="waiting" hx-swap-oob="true"' in part


def test_the_badge_is_the_count_of_the_page(acme: Company) -> None:
    for amount in ("60", "70", "80"):
        acme.propose(acme.run(), amount=amount)
    acme.approve("amir", acme.propose(acme.run(), amount="1500"))
    for name, waiting in {"ann": 4, "amir": 3, "ben": 0, "dora": 0, "sam": 0}.items():
        browser = signed_in(acme.members[name])
        said = text(browser.get("/approvals"))
        badge = re.search(r"Approvals (\d+) waiting for a person", said)
        assert (int(badge[1]) if badge else 0) == waiting, name
        assert (f"{waiting} wait for your decision" in said) == bool(waiting), name
        assert len(listed(browser, "/approvals?whose=mine")) == waiting, name
        home = re.search(r"(\d+) to decide", text(browser.get("/")))
        assert (int(home[1]) if home else 0) == waiting, name


def test_what_could_not_be_counted_or_read_is_not_nothing(acme: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    acme.propose(acme.run())

    def broken(*_: Any) -> None:
        raise DatabaseError("away")

    ann = signed_in(acme.ann)
    monkeypatch.setattr("console.pages.nav.count_waiting", broken)
    said = text(ann.get("/approvals"))
    assert "How many wait could not be counted." in said
    assert "Approvals ? , count not available" in said
    monkeypatch.setattr("approvals.inbox.waiting", broken)
    said = text(ann.get("/approvals"))
    assert "The list could not be read. That does not mean it is empty. Read it again" in said
    assert "Nothing to decide" not in said


def test_each_empty_inbox_says_why_it_is_empty(acme: Company) -> None:
    ann, dora = signed_in(acme.ann), signed_in(acme.dora)
    assert "Nothing to decide." in text(ann.get("/approvals"))
    assert "No request matches." in text(ann.get("/approvals?tier=low"))
    assert "Nobody else is asked." in text(ann.get("/approvals?whose=others"))
    assert "You have no approver role" in text(dora.get("/approvals?whose=mine"))
    effect = acme.propose(acme.run())
    acme.deny("amir", effect)
    said = text(ann.get("/approvals"))
    assert "Nothing to decide." in said
    assert f"Decided 1 {effect.summary}" in said, "what was decided last is shown all the same"


def test_auditors_see_what_others_decide(acme: Company) -> None:
    effect = acme.propose(acme.run())
    page = signed_in(acme.dora).get("/approvals")
    assert "You have no approver role. What others decide is shown." in text(page)
    assert effect.summary in text(page)
    assert 'name="request"' not in page.content.decode(), "nothing is selected by who decides nothing"


def test_approvers_of_another_group_are_asked_nothing(acme: Company) -> None:
    acme.propose(acme.run())
    dollars = acme.propose(acme.run(), currency="USD")
    for address in ("/approvals", "/approvals?whose=others"):
        assert "EUR" not in text(signed_in(acme.sam).get(address))
    assert listed(signed_in(acme.sam)) == ids(dollars)


def test_another_tenant_sees_none_of_it(acme: Company, globex: Company) -> None:  # SEC-01
    acme.propose(acme.run())
    cara = signed_in(globex.cara)
    for address in ("/approvals", "/approvals?whose=others", f"/approvals?agent={acme.agent.pk}", "/approvals/history"):
        page = cara.get(address)
        assert "Refund" not in text(page)
        assert "refund-bot" not in text(page).replace("refund-bot", "", 1), "its own agent has that name"


def test_what_was_decided_stays_with_who_and_when(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.deny("amir", effect)
    page = signed_in(acme.ann).get("/approvals").content.decode()
    row = re.findall(rf'<li id="row-{effect.request_id}".*?</li>', page, re.DOTALL)[0]
    assert 'class="slip decided"' in row
    assert "Amir Saleh" in row
    assert "Denied" in row
    assert "just now" in row


def test_what_has_run_out_is_gone_although_no_sweep_has_passed(acme: Company) -> None:  # EXP-01
    acme.propose(acme.run())
    with later(minutes=31):
        ann = signed_in(acme.ann)
        assert listed(ann) == []
        assert "Nothing waits for your decision." in text(ann.get("/approvals"))


@pytest.mark.parametrize(
    ("decide_by", "said"),
    [("cf_now() + interval '30 seconds'", "<1 min left"), ("cf_now() + interval '200 years'", "no expiry"), ("'epoch'", "expired"),
     ("cf_now() - interval '1 second'", "expired")],
)  # fmt: skip
def test_no_expiry_is_ever_nonsense(acme: Company, decide_by: str, said: str) -> None:  # EXP-07, EXP-01
    effect = acme.propose(acme.run())
    with databases.as_superuser(databases.name()) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(f"update approvals_request set decide_by = {decide_by}")
        connection.commit()
    ann = signed_in(acme.ann)
    card, inbox = (ann.get(address) for address in (f"/approvals/{effect.request_id}", "/approvals"))
    assert said in text(card).lower()
    assert (said in text(inbox)) == (said != "expired"), "what has expired waits for nobody"
    assert ('name="verdict"' in card.content.decode()) == (said != "expired")
    assert re.search(r'<time class="time[^"]*" datetime="[^"]+" title="[^"]+UTC"', card.content.decode())
    assert not re.search(r"-\d+ (s|min|h|day)|\b[1-9]\d{3,} (days|h)\b", text(card) + text(inbox))


# What it costs


def test_more_requests_ask_no_more_questions(acme: Company) -> None:
    run = acme.run()
    acme.propose(run)
    multiply(run, 59)
    statements(acme.ann)  # what a process reads once, it has read
    few = statements(acme.ann)
    multiply(run, 440)
    assert statements(acme.ann) == few
    assert max(few.values()) <= 60, few  # those of the frame and of the open card among them


def statements(member: Member) -> dict[str, int]:
    """Count the statements of the inbox in each of its orders."""
    browser = signed_in(member)
    found = {}
    for address in ("/approvals", "/approvals?sort=deadline", "/approvals?sort=created", "/approvals?whose=others"):
        with CaptureQueriesContext(connections["default"]) as captured:
            assert browser.get(address).status_code == 200
        found[address] = len(captured)
    return found


def multiply(run: Run, times: int) -> None:
    """Copy the first request of a run with its effect."""
    with databases.as_superuser(databases.name()) as connection:
        connection.execute("set session_replication_role = replica")
        for table, column in (("runs_effect", "run_id"), ("approvals_request", "tenant_id")):
            copied(connection, table, column, run.pk if column == "run_id" else run.tenant_id, times)
        connection.commit()


def copied(connection: Any, table: str, column: str, value: UUID, times: int) -> None:
    """Copy one row so many times under other ids."""
    query = "select column_name from information_schema.columns where table_name = %s order by 1"
    columns = [name for (name,) in connection.execute(query, [table])]
    start = connection.execute(f"select count(*) from {table}").fetchone()[0]
    onwards = "+ n * interval '1 minute'"
    new = dict.fromkeys(("id", "subject", "key"), "gen_random_uuid()") | {
        "number": "1000000 + n", "decide_by": f"t.decide_by {onwards}", "created_at": f"t.created_at {onwards}",
    }  # fmt: skip
    values = ", ".join(new.get(name, f't."{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    one = f"(select * from {table} where {column} = '{value}' order by created_at limit 1) t"
    connection.execute(
        f"insert into {table} ({names}) select {values} from {one}, generate_series({start}, {start + times - 1}) n"
    )
