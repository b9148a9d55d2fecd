"""An effect by itself: what exactly, by whose leave, what was tried, and what is known of it."""

import re
from uuid import uuid4

from console.database import rows
from runs.models import Effect, Run
from tests.cast import WORKER, Company, claim, inside, settle, signed_in, work
from tests.pages.browsing import HTMX, text
from tests.work import claim as look
from tests.work import settle as answered


def page_of(company: Company, effect: Effect, name: str = "ann") -> str:
    """Read an effect's page."""
    return text(signed_in(company.members[name]).get(f"/runs/{effect.run_id}/effects/{effect.number}"))


def test_it_says_what_exactly_in_the_order_of_the_contract(acme: Company) -> None:
    transfer = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    said = page_of(acme, transfer)
    told = re.search(r"Exactly what (.*?) The arguments as JSON", said)
    assert told
    names = ["from", "to", "iban", "amount", "currency", "invoice"]
    assert [told[1].index(f" {name} ") for name in names[1:]] == sorted(
        told[1].index(f" {name} ") for name in names[1:]
    )
    assert "amount 5,400.00 EUR currency EUR" in told[1]
    assert "DE89 3704 0044 0532 0130 00" in told[1]
    whole = signed_in(acme.ann).get(f"/runs/{transfer.run_id}/effects/1").content.decode()
    copied = re.search(r'<span class="account-number">(.*?)</span></td>', whole)
    assert copied
    assert re.sub("<[^>]+>", "", copied[1]) == "DE89370400440532013000", "whoever copies it copies what is sent"


def test_it_says_by_whose_leave(acme: Company) -> None:
    refund = acme.propose(acme.run())
    acme.approve("amir", refund, "Matches the statement.")
    work()
    said = page_of(acme, refund)
    assert "Policy money, version 1 , asks people by its rule large ." in said
    assert "The rule holds when the amount is above 50." in said
    assert "Amir Saleh approved" in said
    assert "Matches the statement." in said
    assert "Approved, used" in said
    assert f"cf-{refund.pk}" in said
    assert refund.key in said
    assert "refund, version 2" in said
    assert "A refund is undone only by a new charge, which the customer must agree to." in said


def test_each_attempt_tells_its_fence_its_worker_and_what_came(acme: Company) -> None:
    lost = acme.propose(acme.run(), amount="20")
    held = claim()
    with inside():
        rows("select * from runs_end_leases('worker:parent', 10, %s)", [WORKER])
    settle(held, "succeeded", result={"refund": "rf_1"})
    said = page_of(acme, lost, "oscar")
    assert "Attempt 1 Lost" in said
    assert "Worker test:1" in said
    assert "What came too late for attempt 1" in said
    assert "rf_1" in said
    assert "It is kept and changes nothing." in said


def test_an_unknown_effect_says_what_we_do_not_know(acme: Company) -> None:
    unknown = acme.propose(acme.run(), amount="20")
    work("unknown", http=None, reason="The bank did not answer within 10 s.")
    for _ in range(3):
        due_now()
        answered(look(), "absent", http=404, reason="The bank knows nothing of it.")
    said = page_of(acme, unknown, "oscar")
    assert "Unknown outcome . It stays unknown, whatever its age, until there is evidence" in said
    assert "What we do not know" in said
    assert "the other side has no trace of it proves nothing" in said
    assert "Asked about it 3 times" in said
    assert "The bank did not answer within 10 s." in said.split("Exactly what")[0], "the reason is the act's"
    for address in (f"/runs/{unknown.run_id}/effects/1/resolve", f"/runs/{unknown.run_id}"):
        listed = text(signed_in(acme.oscar).get(address))
        assert "each time the same" in listed
    assert "Asked the other side 3 times, each time the same: the other side answered 404 (absent)" in listed


def due_now() -> None:
    """Have the next look at what is unknown due."""
    with inside():
        rows("update runs_effect set next_attempt_at = cf_now() where state = 'unknown' returning id")


def test_it_names_what_it_waits_for_and_what_waits_for_it(acme: Company) -> None:
    run = acme.run()
    first = acme.propose(run)
    second = acme.propose(run, after=[first], amount="5.00")
    assert "What waits for it" in page_of(acme, first)
    assert "No. 2: Refund 5.00 EUR on order 1042" in page_of(acme, first)
    assert "Waits for" in page_of(acme, second)
    assert "No. 1: Refund 120.00 EUR on order 1042" in page_of(acme, second)


def test_another_way_is_shown_on_the_pages_of_both(acme: Company) -> None:
    run = acme.run()
    first = acme.propose(run, amount="20")
    work("rejected", http=422, reason="insufficient funds")
    second = acme.propose(run, amount="10", supersedes=first)
    assert "Tried in another way by" in page_of(acme, first)
    assert "No. 2: Refund 10.00 EUR on order 1042" in page_of(acme, first)
    assert "Another way than" in page_of(acme, second)
    assert "No. 1: Refund 20.00 EUR on order 1042" in page_of(acme, second)
    assert "another way than effect 1" in page_of(acme, second)


def test_each_entry_leads_to_its_place_in_the_history(acme: Company) -> None:
    run = acme.run()
    for number in range(3):
        acme.propose(run, amount=str(20 + number))
    ann = signed_in(acme.ann)
    whole = ann.get(f"/runs/{run.pk}/effects/1").content.decode()
    links = re.findall(rf'<a href="/runs/{run.pk}(\?before=[^"#]+)#(entry-\w+)"', whole)
    assert len(links) == 1
    words, anchor = links[0]
    there = ann.get(f"/runs/{run.pk}{words}").content.decode()
    assert re.findall(r'id="(entry-\w+)"', there)[-1] == anchor


def test_the_run_and_the_unknown_effects_lead_to_it(acme: Company) -> None:
    effect = acme.propose(acme.run(), amount="20")
    work("unknown", http=None)
    address = f'href="/runs/{effect.run_id}/effects/1'
    ann = signed_in(acme.ann)
    for page, way in (("/", "/resolve"), ("/unknown", "/resolve"), (f"/runs/{effect.run_id}", "")):
        assert f'{address}{way}"' in ann.get(page).content.decode(), page
    assert ann.get(f"/effects/{effect.pk}").headers["Location"] == f"/runs/{effect.run_id}/effects/1"


def test_it_is_refreshed_while_it_is_open(acme: Company) -> None:
    effect = acme.propose(acme.run(), amount="20")
    address = f"/runs/{effect.run_id}/effects/1?part=effect"
    ann = signed_in(acme.ann)
    part = ann.get(address, headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div id="effect"')
    assert "hx-trigger" in part
    work()
    assert "hx-trigger" not in ann.get(address, headers=HTMX).content.decode()


def test_nobody_elses_effect_and_none_that_is_not_there(acme: Company, globex: Company) -> None:  # XPT-01
    theirs: Run = globex.run()
    effect = globex.propose(theirs)
    ann = signed_in(acme.ann)
    mine = acme.run()
    for address in (
        f"/runs/{theirs.pk}/effects/1", f"/effects/{effect.pk}", f"/effects/{uuid4()}", f"/runs/{mine.pk}/effects/1",
        f"/runs/{mine.pk}/effects/{10**30}",
    ):  # fmt: skip
        assert ann.get(address).status_code == 404, address


def test_an_effect_of_a_later_version_is_shown(acme: Company) -> None:
    effect = acme.propose(acme.run(), "lookup")
    said = page_of(acme, effect)
    assert "Look up order 1042" in said
    assert "If it has to be taken back" not in said, "what only reads is never taken back"
