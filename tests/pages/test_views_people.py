"""Who belongs to a tenant and what each may do: shown to administrators and auditors, changed by administrators, safe to send twice."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from console import clock
from console.http import keys
from console.identity.models import Member, User
from console.pages.address import query
from tests.cast import PASSWORD, Company, inside, later, signed_in
from tests.pages.browsing import HTMX, text, walk
from tests.record import findings, kinds

ROW = r'<a class="open" href="/people/([^"?]+)"'
ELLA = {"name": "Ella Brandt", "address": "ella@acme.example", "roles": ["approver"], "groups": "finance, hr"}


@pytest.fixture
def dora(acme: Company) -> Client:
    """The browser of the administrator."""
    return signed_in(acme.dora)


def add(browser: Client, **form: Any) -> Any:
    """Send the form that adds a person."""
    return browser.post("/people/add", {**ELLA, "idempotency_key": f"k-{uuid4()}", **form})


def send(browser: Client, member: Member, deed: str, **form: Any) -> Any:
    """Send a form of a person's page."""
    return browser.post(f"/people/{member.pk}/{deed}", {"idempotency_key": f"k-{uuid4()}", **form})


def stored(acme: Company, name: str) -> Member:
    """Read a member anew."""
    found: Member = acme.read(Member, acme.members[name].pk)
    return found


def test_an_address_that_names_a_buried_receipt_shows_the_page_without_one(acme: Company, dora: Client) -> None:
    effect = acme.propose(acme.run())
    add(dora, idempotency_key="the-form")
    with later(days=31), inside(acme.tenant.pk):
        assert keys.bury(acme.tenant.pk, clock.now(), 100) == 1
    stone = query(receipt=keys.buried("the-form"))
    for page in ("/people", f"/people/{acme.ann.pk}", f"/approvals/{effect.request_id}"):
        answer = dora.get(f"{page}?{stone}")
        assert answer.status_code == 200
        assert "Recorded." not in text(answer)


def test_administrators_and_auditors_see_who_belongs_here(acme: Company, dora: Client) -> None:
    said = text(dora.get("/people"))
    for name in ("Ann Okafor", "Ben Osei", "Oscar Wren", "ann@acme.example"):
        assert name in said
    send(dora, acme.oscar, "change", roles=["auditor"], groups="")
    auditor = signed_in(acme.oscar)
    page = auditor.get("/people")
    assert page.status_code == 200
    assert "Add this person" not in page.content.decode()
    assert "Record this" not in auditor.get(f"/people/{acme.ann.pk}").content.decode()


def test_others_are_told_that_it_is_not_for_them(acme: Company) -> None:
    for name in ("ann", "oscar"):
        browser = signed_in(acme.members[name])
        for address in ("/people", f"/people/{acme.ann.pk}"):
            answer = browser.get(address)
            assert answer.status_code == 403
            assert "administrators and auditors" in text(answer)
            assert "ben@acme.example" not in answer.content.decode()
        assert 'href="/people"' not in browser.get("/").content.decode()


def test_a_long_list_is_read_page_by_page(acme: Company, dora: Client) -> None:
    with inside():
        users = User.objects.bulk_create(
            User(email=f"p{number}@acme.example", name=f"Person {number}") for number in range(60)
        )
        made = Member.objects.bulk_create(Member(tenant=acme.tenant, user=user, roles=[]) for user in users)
    found = walk(dora, "/people", ROW)
    assert set(found) == {str(member.pk) for member in [*made, *acme.members.values()]}
    assert len(found) == len(set(found))


def test_a_person_is_added_and_signs_in_with_the_first_password(acme: Company, dora: Client) -> None:
    answer = add(dora)
    password = re.findall(r'<code class="secret-text"[^>]*>([^<]+)</code>', answer.content.decode())[0]
    assert answer["Cache-Control"] == "no-store"
    ella = Client()
    assert ella.post("/accounts/login/", {"login": "ella@acme.example", "password": password}).status_code == 302
    sent_on = ella.get("/")
    assert (sent_on.status_code, sent_on["Location"]) == (302, "/accounts/password/")
    assert send(ella, acme.ann, "stop").status_code == 303
    part = ella.get("/", headers=HTMX)
    assert (part.status_code, part["HX-Redirect"], part.content) == (403, "/accounts/password/", b"")
    changed = ella.post(
        "/accounts/password/",
        {"oldpassword": password, "password1": "a longer one, by her", "password2": "a longer one, by her"},
    )
    assert changed.status_code == 302
    assert "Ella Brandt" in ella.get("/").content.decode()
    assert Client().post("/accounts/login/", {"login": "ella@acme.example", "password": password}).status_code == 200
    assert findings() == []


def test_a_form_that_is_sent_twice_adds_one_person_and_shows_no_password_again(acme: Company, dora: Client) -> None:
    first, again = add(dora, idempotency_key="the-form"), add(dora, idempotency_key="the-form")
    assert "secret-text" in first.content.decode()
    assert again.status_code == 200
    assert "secret-text" not in again.content.decode()
    assert "is kept nowhere" in text(again)
    assert kinds(f"tenant:{acme.tenant.pk}").count("member.added") == len(acme.members) + 1


def test_what_was_typed_stays_when_it_is_refused(acme: Company, dora: Client) -> None:
    for form, status, why in (
        ({"groups": "Finance"}, 422, "begins with a letter"),
        ({"address": "nowhere"}, 422, "e-mail address"),
        ({"address": "ann@acme.example"}, 409, "member already"),
        ({"idempotency_key": ""}, 400, "without its key"),
    ):
        answer = add(dora, **form)
        assert answer.status_code == status, form
        assert why in text(answer)
        assert 'value="Ella Brandt"' in answer.content.decode()
        assert re.search(r'value="approver" checked', answer.content.decode())


def test_roles_and_groups_are_changed_and_it_is_said(acme: Company, dora: Client) -> None:
    answer = send(
        dora, acme.ann, "change", roles=["approver", "operator"], groups="finance support", idempotency_key="the-form"
    )
    assert (answer.status_code, answer["Location"]) == (303, f"/people/{acme.ann.pk}?receipt=the-form")
    assert "Recorded" in text(dora.get(answer["Location"]))
    ann = stored(acme, "ann")
    assert (ann.roles, ann.groups) == (["approver", "operator"], ["finance", "support"])
    assert findings() == []


def test_a_member_is_stopped_and_started_again(acme: Company, dora: Client) -> None:
    ann = signed_in(acme.ann)
    send(dora, acme.ann, "stop")
    assert ann.get("/").status_code == 403
    assert "Stopped" in text(dora.get(f"/people/{acme.ann.pk}"))
    send(dora, acme.ann, "start")
    assert ann.get("/").status_code == 200


def test_the_approval_of_a_member_who_was_stopped_does_not_count(acme: Company, dora: Client) -> None:
    effect = acme.propose(acme.run(), amount="1500")
    acme.approve("ann", effect)
    send(dora, acme.ann, "stop")
    acme.approve("amir", effect)
    assert acme.request(effect).state == "pending"


def test_the_last_administrator_stays(acme: Company, dora: Client) -> None:
    for answer in (send(dora, acme.dora, "stop"), send(dora, acme.dora, "change", roles=[], groups="")):
        assert answer.status_code == 409
        assert "Nobody else administers this tenant" in text(answer)
    assert stored(acme, "dora").active


def test_nobody_else_changes_anything(acme: Company, globex: Company) -> None:
    for browser, status in ((signed_in(acme.ann), 403), (signed_in(acme.oscar), 403), (signed_in(globex.cara), 404)):
        assert send(browser, acme.amir, "stop").status_code == status
        assert send(browser, acme.amir, "change", roles=["admin"], groups="").status_code == status
    assert add(signed_in(acme.ann)).status_code == 403
    assert stored(acme, "amir").active
    assert stored(acme, "amir").roles == ["approver"]
    assert signed_in(globex.cara).get(f"/people/{acme.ann.pk}").status_code == 404


def test_a_form_needs_its_token(acme: Company) -> None:
    browser = signed_in(acme.dora, enforce_csrf_checks=True)
    assert add(browser).status_code == 403
    assert send(browser, acme.ann, "stop").status_code == 403
    assert stored(acme, "ann").active


def test_a_form_is_no_page(acme: Company, dora: Client) -> None:
    for deed in ("add", f"{acme.ann.pk}/change", f"{acme.ann.pk}/stop", f"{acme.ann.pk}/start"):
        answer = dora.get(f"/people/{deed}")
        assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_everybody_signs_in_with_the_same_password_before(acme: Company) -> None:
    assert Client().post("/accounts/login/", {"login": "ann@acme.example", "password": PASSWORD}).status_code == 302


def test_the_record_tells_a_persons_trail(acme: Company, dora: Client) -> None:
    send(dora, acme.ann, "change", roles=["approver", "operator"], groups="finance support")
    send(dora, acme.ann, "stop")
    send(dora, acme.ann, "start")
    send(dora, acme.amir, "stop")
    said = text(dora.get(f"/people/{acme.ann.pk}"))
    told_of = [
        "Let in again. Dora Lindqvist", "Stopped. Dora Lindqvist",
        "From then on with the roles approver and operator, in the groups finance and support. Dora Lindqvist",
        "Added, with the roles approver, in the groups finance. the test",
    ]  # fmt: skip
    places = [said.index(each) for each in told_of]
    assert places == sorted(places)
    assert said.count("Dora Lindqvist") == 4  # the three changes of ann, and whose page it is
