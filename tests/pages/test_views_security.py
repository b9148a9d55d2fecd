"""Second factors and proofs: set up by oneself, asked for at sign-in and before what matters, limited, recorded and told."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from console.identity.models import Member
from console.notices.models import Copy
from tests.cast import PASSWORD, Company, inside, signed_in
from tests.pages.browsing import text
from tests.pages.proving import code, forget_tries, one_half_minute, prove, set_up_app
from tests.record import findings, told

__all__ = ["one_half_minute"]
pytestmark = pytest.mark.usefixtures("one_half_minute")
PROVE = "/accounts/prove/password/"


@pytest.fixture
def ann(acme: Company) -> Client:
    """The browser of an approver."""
    return signed_in(acme.ann)


def sign_in(member: Member, browser: Client | None = None, password: str = PASSWORD) -> tuple[Client, Any]:
    """Send the form of signing in."""
    browser = browser or Client()
    return browser, browser.post("/accounts/login/", {"login": member.user.email, "password": password})


def test_an_app_is_set_up_asked_for_at_sign_in_and_switched_off(acme: Company, ann: Client) -> None:
    page = ann.get("/accounts/security/")
    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    assert "Not set up" in text(page)
    asked = ann.get("/accounts/security/app/")
    assert asked["Location"] == "/accounts/prove/password/?next=%2Faccounts%2Fsecurity%2Fapp%2F"
    secret = set_up_app(ann)
    assert "Set up" in text(ann.get("/accounts/security/"))
    browser, answer = sign_in(acme.ann)
    assert answer["Location"].startswith("/accounts/login/second/")
    assert browser.get("/")["Location"].startswith("/accounts/login/")
    assert "One more step" in text(browser.get("/accounts/login/second/"))
    assert "Incorrect code" in text(browser.post("/accounts/login/second/", {"code": "000000"}))
    assert browser.post("/accounts/login/second/", {"code": code(secret, 1)}).status_code == 302
    assert browser.get("/").status_code == 200
    assert browser.get("/accounts/security/app/remove/")["Location"].startswith("/accounts/prove/code/")
    forget_tries()
    browser.post("/accounts/prove/code/", {"code": code(secret)})
    assert browser.post("/accounts/security/app/remove/").status_code == 302
    assert "Not set up" in text(browser.get("/accounts/security/"))
    _, answer = sign_in(acme.ann)
    assert answer["Location"] == "/"
    assert findings() == []


def test_a_code_is_used_once(acme: Company, ann: Client) -> None:
    secret = set_up_app(ann)
    used = code(secret, 1)
    first, second = (sign_in(acme.ann)[0] for _ in range(2))
    assert first.post("/accounts/login/second/", {"code": used}).status_code == 302
    assert "Incorrect code" in text(second.post("/accounts/login/second/", {"code": used}))


def test_recovery_codes_are_shown_once_and_each_lets_in_once(acme: Company, ann: Client) -> None:
    set_up_app(ann)
    shown = ann.get("/accounts/security/codes/")
    codes = re.findall(r'<code class="secret-text">(\d+)</code>', shown.content.decode())
    assert len(set(codes)) == 10
    assert codes[0] not in ann.get("/accounts/security/codes/").content.decode()
    browser, _ = sign_in(acme.ann)
    assert browser.post("/accounts/login/second/", {"code": codes[0]}).status_code == 302
    browser, _ = sign_in(acme.ann)
    assert "Incorrect code" in text(browser.post("/accounts/login/second/", {"code": codes[0]}))


def test_the_secrets_of_the_factors_are_sealed(acme: Company, ann: Client) -> None:
    secret = set_up_app(ann)
    with inside():
        kept = list(Authenticator.objects.values_list("data", flat=True))
    assert len(kept) == 2
    assert secret not in str(kept)
    assert secret not in str(told(f"tenant:{acme.tenant.pk}"))


def test_what_comes_and_goes_is_recorded_and_told_to_the_person(acme: Company, ann: Client) -> None:
    set_up_app(ann)
    ann.post("/accounts/security/app/remove/")
    changes = [facts for kind, facts in told(f"tenant:{acme.tenant.pk}") if kind == "member.factor_changed"]
    assert [(each["factor"], each["became"]) for each in changes] == [
        ("totp", "added"), ("recovery_codes", "added"), ("totp", "removed"), ("recovery_codes", "removed"),
    ]  # fmt: skip
    with inside():
        titles = list(
            Copy.objects.filter(member=acme.ann).order_by("posted_at").values_list("notice__title", flat=True)
        )
    assert titles[0] == "An authenticator app was set up for you"
    assert Copy.objects.exclude(member=acme.ann).count() == 0
    assert "An authenticator app was set up." in text(signed_in(acme.dora).get(f"/people/{acme.ann.pk}"))
    assert findings() == []


@pytest.mark.parametrize(
    "address",
    ["app/", "app/remove/", "codes/", "codes/new/", "passkeys/add/", ""],
)
def test_a_stranger_is_sent_to_sign_in(acme: Company, address: str) -> None:
    for answer in (Client().get(f"/accounts/security/{address}"), Client().post(f"/accounts/security/{address}")):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/?next=")


def test_who_has_a_second_factor_does_not_prove_it_by_password_alone(acme: Company, ann: Client) -> None:
    secret = set_up_app(ann)
    browser, _ = sign_in(acme.ann)
    browser.post("/accounts/login/second/", {"code": code(secret, 1)})
    assert browser.post(PROVE, {"password": PASSWORD})["Location"] == "/accounts/prove/code/"
    assert browser.get("/accounts/prove/?next=/approvals")["Location"] == "/accounts/prove/code/?next=%2Fapprovals"


def test_nobody_is_led_away_by_proving_it(ann: Client) -> None:
    for there in ("https://evil.example/", "//evil.example", "\\\\evil.example"):
        assert ann.get("/accounts/prove/", {"next": there})["Location"] == f"{PROVE}?next=%2F"
        assert prove(ann, there)["Location"] == "/"


def test_wrong_passwords_are_counted_for_all_processes(acme: Company, ann: Client) -> None:
    for _ in range(5):
        assert "password" in text(ann.post(PROVE, {"password": "wrong"})).lower()
    answer = ann.post(PROVE, {"password": PASSWORD})
    assert answer.status_code == 200
    assert "Too many" in text(answer)
    _, answer = sign_in(acme.ann)
    assert "Too many" in text(answer)
    forget_tries()
    assert prove(ann).status_code == 302


def test_wrong_codes_are_counted_too(acme: Company, ann: Client) -> None:
    secret = set_up_app(ann)
    browser, _ = sign_in(acme.ann)
    for _ in range(5):
        browser.post("/accounts/login/second/", {"code": "000000"})
    answer = browser.post("/accounts/login/second/", {"code": code(secret, 1)})
    assert "Too many" in text(answer)
    assert browser.get("/")["Location"].startswith("/accounts/login/")


def test_a_form_needs_its_token(acme: Company) -> None:
    browser = signed_in(acme.ann, enforce_csrf_checks=True)
    for address in ("prove/password/", "security/app/", "security/codes/new/"):
        assert browser.post(f"/accounts/{address}", {}).status_code == 403
