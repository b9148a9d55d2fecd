"""The admin: a superuser looks at one tenant's rows at a time, and nobody changes anything there."""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.admin import ModelAdmin
from django.test import Client, RequestFactory
from django.urls import reverse

from console.database import rows
from console.identity.models import ApiKey, Member, Tenant, User
from console.pages.admin import OURS, desk
from tests.cast import PASSWORD, Company, inside, signed_in, work
from tests.pages.browsing import text
from tests.record import findings

MODELS = [model for label in OURS for model in apps.get_app_config(label).get_models()]
NAMES = [model.__name__ for model in MODELS]


@pytest.fixture
def root(acme: Company, globex: Company) -> Client:
    """The browser of a superuser who belongs to no tenant."""
    user = User.objects.create_superuser("root@host.example", PASSWORD, name="Rut Oberg")
    browser = Client(raise_request_exception=False)
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


def look_at(browser: Client, company: Company) -> None:
    """Choose a tenant."""
    assert browser.post("/admin/tenant/", {"tenant": company.tenant.slug}).status_code == 302


def address(model: Any, page: str = "changelist", *args: Any) -> str:
    """Give the address of a model's page in the admin."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_no_model_of_ours_can_be_changed(model: Any) -> None:
    registered = desk.get_model_admin(model)
    request = RequestFactory().get("/admin/")
    request.user = User(is_superuser=True, is_active=True)
    for may in (registered.has_add_permission, registered.has_change_permission, registered.has_delete_permission):
        assert not may(request)
    assert registered.has_view_permission(request)
    assert registered.get_actions(request) == {}
    assert not registered.get_inline_instances(request)
    assert registered.list_editable == ()


def test_nothing_is_registered_but_what_is_ours() -> None:
    assert set(desk._registry) == set(MODELS)
    assert all(isinstance(each, ModelAdmin) for each in desk._registry.values())


def test_every_row_can_be_looked_at_and_none_written(root: Client, acme: Company) -> None:
    run = acme.run()
    acme.approve("ann", acme.propose(run))
    work()
    acme.propose(run)
    look_at(root, acme)
    before = everything()
    seen = 0
    for model in MODELS:
        listed = root.get(address(model))
        assert listed.status_code == 200, model
        with inside():
            row = model._default_manager.filter(**tenant(model, acme)).first()
        if row is None:
            continue
        seen += 1
        one = address(model, "change", row.pk)
        assert root.get(one).status_code == 200, model
        for page in (address(model, "add"), one, address(model, "delete", row.pk), address(model)):
            answer = root.post(
                page,
                {
                    "state": "succeeded",
                    "name": "x",
                    "action": "delete_selected",
                    "_selected_action": str(row.pk),
                    "post": "yes",
                },
            )
            assert answer.status_code in {403, 200, 302}, (page, answer.status_code)
        for page in (address(model, "add"), address(model, "delete", row.pk)):
            assert root.get(page).status_code == 403
    assert seen > 15
    assert everything() == before
    assert findings() == []


def test_one_tenant_is_looked_at_at_a_time(root: Client, acme: Company, globex: Company) -> None:
    ours, theirs = acme.run("Ours alone"), globex.run("Theirs alone")
    runs = address(type(ours))
    assert "No tenant is chosen yet" in text(root.get("/admin/"))
    assert "alone" not in text(root.get(runs))
    for company, sees, never in ((acme, ours, theirs), (globex, theirs, ours)):
        look_at(root, company)
        said = text(root.get(runs))
        assert sees.goal in said or str(sees.pk) in root.get(runs).content.decode()
        assert str(never.pk) not in root.get(runs).content.decode()
        assert root.get(address(type(ours), "change", never.pk)).status_code == 302
        people = text(root.get(address(User)))
        assert (f"ann@{acme.tenant.slug}.example" in people) == (company is acme)
        others = globex if company is acme else acme
        assert root.get(address(Member, "change", others.members["ben"].pk)).status_code == 302
        assert root.get(address(Tenant, "change", others.tenant.pk)).status_code == 302
    assert root.post("/admin/tenant/", {"tenant": "nobody"}).status_code == 404
    assert root.get("/admin/tenant/").status_code == 404


def test_only_a_superuser_comes_in(acme: Company) -> None:
    for name in ("dora", "ann"):
        browser = signed_in(acme.members[name], raise_request_exception=False)
        assert browser.get("/admin/").status_code == 302
        assert browser.get("/admin/login/").status_code == 403
        assert browser.get(address(User)).status_code == 302
        assert browser.post("/admin/tenant/", {"tenant": "acme"}).status_code == 302
        assert "admin_tenant" not in browser.session
    stranger = Client()
    answer = stranger.get("/admin/login/?next=/admin/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=%2Fadmin%2F")


def test_secrets_are_not_shown(root: Client, acme: Company) -> None:
    look_at(root, acme)
    page = root.get(address(User, "change", acme.ann.user_id)).content.decode()
    assert "ann@acme.example" in page
    assert acme.ann.user.password[:12] not in page
    assert "password" not in desk.get_model_admin(User).get_readonly_fields(RequestFactory().get("/"))
    assert "digest" not in [
        getattr(name, "__name__", name)
        for name in desk.get_model_admin(ApiKey).get_readonly_fields(RequestFactory().get("/"))
    ]
    for guess in ("password__startswith", "password", "password__gt"):
        assert root.get(address(User), {guess: acme.ann.user.password[:12]}).status_code == 400
    assert root.get(address(Member), {"user__password__startswith": "a"}).status_code == 400
    assert root.get(address(Member), {"active__exact": "1"}).status_code == 200


def test_its_pages_need_no_exception_of_the_content_policy(root: Client, acme: Company) -> None:
    look_at(root, acme)
    for page in ("/admin/", address(Member), address(Member, "change", acme.ann.pk)):
        answer = root.get(page)
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "<script>" not in answer.content.decode()
        assert " style=" not in answer.content.decode()


def test_signing_out_and_a_new_password_are_the_products_own(root: Client) -> None:
    assert root.get("/admin/password_change/")["Location"] == "/accounts/password/"
    assert root.get("/admin/history-of-nothing/").status_code == 404
    assert root.post("/admin/logout/").status_code == 302
    assert root.get("/admin/").status_code == 302


def tenant(model: Any, company: Company) -> dict[str, Any]:
    """Say which rows of a model are a company's."""
    if model is User:
        return {"memberships__tenant": company.tenant}
    if model is Tenant:
        return {"pk": company.tenant.pk}
    return (
        {"tenant_id": company.tenant.pk}
        if any(field.attname == "tenant_id" for field in model._meta.concrete_fields)
        else {}
    )


def everything() -> list[object]:
    """Give what every table holds, but for sessions."""
    with inside():
        tables = rows(
            "select relname as name from pg_stat_user_tables where relname not like 'django_%%' order by 1", []
        )
        return [
            rows(f"select count(*) as n, md5(string_agg(t::text, '' order by t::text)) as d from {row['name']} t")
            for row in tables
        ]


def test_an_unknown_row_is_not_here(root: Client, acme: Company) -> None:
    look_at(root, acme)
    assert root.get(address(Member, "change", uuid4())).status_code == 302
    assert root.get(address(Member, "history", acme.ann.pk)).status_code == 404
