"""What tests do with effects that are not confirmed: make them so, read their forms, and send them as a browser does."""

import re
from html import unescape
from typing import Any

from django.test import Client

from console import env
from console.database import crossing_tenants, rows
from console.documents import load
from console.identity import administration
from console.identity.models import Member, User
from runs.models import Effect, Resolution
from tests.cast import Company, hashed, inside, put_in_force, work

SEEN = "The bank's statement of 10:02 shows it as entry 4711."
VERBS = ("find", "claim", "release", "hand-over", "ask", "confirm", "decline", "withdraw")


def with_second_person(company: Company) -> Company:
    """Put in force a refund about which a finding needs a second person."""
    text = (env.BASE_DIR / "examples" / "contracts" / "refund.yaml").read_text(encoding="utf-8").partition("\n---\n")[0]
    text = re.sub(r"\nversion: \d+\n", "\nversion: 99\n", text, count=1)
    put_in_force(company.by, load(text.replace("second_person: false", "second_person: true")))
    return company


def unknown(company: Company, *, amount: str = "20", goal: str = "Make order 1042 right", **draft: Any) -> Effect:
    """Have a refund that was sent and not answered."""
    made = company.propose(company.run(goal, **draft), amount=amount)
    work("unknown", http=None, reason="The bank did not answer within 10 s.")
    stored: Effect = company.stored(made)
    return stored


def partial(company: Company) -> Effect:
    """Have a refund of which some happened and some did not."""
    made = company.propose(company.run("Pay the parts"), amount="30")
    work("partial", http=200, result={"refund": "rf_1", "parts": ["a"]})
    stored: Effect = company.stored(made)
    return stored


def hire(company: Company, name: str, full_name: str, roles: list[str], groups: list[str]) -> Member:
    """Add somebody to the company."""
    with crossing_tenants():
        user = User.objects.create(email=f"{name}@acme.example", name=full_name, password=hashed())
        return administration.add_member(company.by, user, roles, groups)


def address(effect: Effect, verb: str = "resolve") -> str:
    """Give where a page or a form of an effect is."""
    return f"/runs/{effect.run_id}/effects/{effect.number}/{verb}"


def fields(page: str, verb: str) -> dict[str, str]:
    """Read the hidden fields of a form, as a browser would send them."""
    found = re.search(rf'<form[^>]*action="[^"]*/{verb}".*?</form>', page, re.DOTALL)
    assert found, f"there is no form for {verb}"
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found[0])
    return {name: unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"}


def send(browser: Client, effect: Effect, verb: str = "find", **typed: Any) -> Any:
    """Open the page, fill a form in and send it."""
    page = browser.get(address(effect)).content.decode()
    form = "confirm" if verb == "decline" else verb
    return browser.post(address(effect, verb), {**fields(page, form), **typed})


def found(browser: Client, effect: Effect, way: str = "happened", **typed: Any) -> Any:
    """Say what became of it."""
    return send(browser, effect, "find", **{"way": way, "evidence": SEEN, **typed})


def due_now() -> None:
    """Have the next look at what is unknown due."""
    with inside():
        rows("update runs_effect set next_attempt_at = cf_now() where state = 'unknown' returning id")


def findings_of(effect: Effect) -> list[Resolution]:
    """Read what was found of an effect."""
    with inside():
        return list(Resolution.objects.filter(effect=effect.pk).order_by("number"))
