"""`manage.py tenant open`: the first thing on a new installation, recorded as everything else, and harmless when done again."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from console import database
from console.identity import people
from console.identity.models import Member, Tenant
from console.ledger.models import Entry
from tests.cast import inside
from tests.shop import Shop


@pytest.fixture(autouse=True)
def _own_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command makes the worker role its process's own; this process goes on."""
    monkeypatch.setattr(database, "_process_alias", "default")


def said(*arguments: str) -> str:
    """Run the command; gives what it said."""
    out = StringIO()
    call_command("tenant", "open", *arguments, stdout=out)
    database._process_alias = "default"
    return out.getvalue()


def test_it_opens_a_tenant_whose_first_administrator_signs_in(db: None) -> None:
    told = said("corner", "The corner shop", "--admin", "Iris@corner.example", "--person", "Iris Blom")
    password = told.partition("Password of iris@corner.example: ")[2].splitlines()[0]
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": "iris@corner.example", "password": password})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert "The corner shop" in browser.get("/").content.decode()
    with inside():
        member = Member.objects.get()
        assert (member.roles, member.user.name, member.tenant.slug) == (["admin"], "Iris Blom", "corner")
        assert list(Entry.objects.order_by("seq").values_list("kind", flat=True)) == ["tenant.opened", "member.added"]


def test_a_second_time_it_makes_what_is_missing(db: None) -> None:
    said("corner", "The corner shop", "--admin", "iris@corner.example")
    assert (
        said("corner", "Another name", "--admin", "iris@corner.example") == "iris@corner.example is a member already.\n"
    )
    assert "noor@corner.example administers The corner shop." in said("corner", "", "--admin", "noor@corner.example")
    with inside():
        assert Tenant.objects.get().name == "The corner shop"


def test_an_account_with_a_first_password_that_another_tenant_gave_administers_nothing(shop: Shop) -> None:
    people.admit(shop.actor("dora"), "iris@corner.example", name="Iris Blom", roles=[], groups=[], key="k")
    with pytest.raises(CommandError, match="was not changed yet"):
        said("corner", "The corner shop", "--admin", "iris@corner.example")
    with inside():
        assert not Tenant.objects.filter(slug="corner").exists()


@pytest.mark.parametrize(
    ("slug", "address"), [("Corner Shop", "a@b.example"), ("corner", "nobody"), ("-x", "a@b.example")]
)
def test_what_is_no_name_or_address_is_refused(db: None, slug: str, address: str) -> None:
    with pytest.raises(CommandError):
        said(slug, "The corner shop", "--admin", address)
    with inside():
        assert not Tenant.objects.exists()
