"""Rows are fenced by tenant in the database: the application role sees one tenant, inside a transaction, and writes for no other."""

import pytest
from django.apps import apps
from django.db import connections, models
from django.db.utils import ProgrammingError

from console.database import crossing_tenants, rows, transaction
from console.ledger.models import Entry
from runs.models import Run
from runs.sweep import CLOCK, follow
from tests.shop import Shop, draft

# Needed before it is known which tenant is asking: who signs in, and whose key it is. They are read by their own id only.
BEFORE_THE_TENANT_IS_KNOWN = {"identity_member", "identity_agent", "identity_apikey"}
TABLES = sorted(
    model._meta.db_table
    for model in apps.get_models()
    if any(field.attname == "tenant_id" for field in model._meta.concrete_fields)
)
FENCED = [table for table in TABLES if table not in BEFORE_THE_TENANT_IS_KNOWN]


def count(table: str) -> int:
    """Count the rows of a table that can be seen."""
    return int(rows(f"select count(*) as n from {table}")[0]["n"])


@pytest.fixture
def both(shop: Shop, rival: Shop) -> tuple[Shop, Shop]:
    """Two tenants in which the same has happened."""
    for each in (shop, rival):
        run = each.accept(draft("rent", "250"), draft("gas"))
        each.approve(each.request(run, "rent"))
        with crossing_tenants(), transaction(None):
            follow(CLOCK, 10)
    return shop, rival


def test_the_application_role_sees_the_rows_of_its_tenant_only(both: tuple[Shop, Shop]) -> None:
    with crossing_tenants(), transaction(None):
        everything = {table: count(table) for table in FENCED}
    for one in both:
        with transaction(one.tenant.pk):
            assert {table: 2 * count(table) for table in FENCED} == everything
            assert {run.tenant_id for run in Run.objects.all()} == {one.tenant.pk}


@pytest.mark.parametrize("table", FENCED)
def test_outside_of_a_transaction_the_application_role_sees_nothing(both: tuple[Shop, Shop], table: str) -> None:
    assert count(table) == 0


def test_the_tenant_of_a_transaction_is_forgotten_with_it(both: tuple[Shop, Shop]) -> None:
    with transaction(both[0].tenant.pk):
        assert Run.objects.exists()
    assert not Run.objects.exists()


def test_nothing_is_written_for_another_tenant(both: tuple[Shop, Shop]) -> None:
    mine, other = both
    with pytest.raises(ProgrammingError, match="row-level security"), transaction(mine.tenant.pk):
        Entry.objects.create(
            tenant_id=other.tenant.pk, stream="run:forged", seq=1, kind="run.accepted", at=mine.tenant.created_at, actor="x",
            payload_digest=b"", prev_hash=b"", hash=b"",
        )  # fmt: skip


def test_nothing_of_another_tenant_is_changed(both: tuple[Shop, Shop]) -> None:
    mine, other = both
    with transaction(mine.tenant.pk):
        assert Run.objects.filter(tenant_id=other.tenant.pk).update(goal="Mine now") == 0
    with pytest.raises(ProgrammingError, match="row-level security"), transaction(mine.tenant.pk):
        Run.objects.update(tenant_id=other.tenant.pk)


def test_the_worker_role_sees_all_tenants(both: tuple[Shop, Shop]) -> None:
    with crossing_tenants(), transaction(None):
        assert {run.tenant_id for run in Run.objects.all()} == {each.tenant.pk for each in both}


@pytest.mark.parametrize("table", FENCED)
def test_every_table_with_a_tenant_is_fenced(db: None, table: str) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("select relrowsecurity from pg_class where relname = %s", [table])
        assert cursor.fetchone() == (True,)


def test_a_transaction_is_never_opened_inside_another(shop: Shop) -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction(shop.tenant.pk), transaction(shop.tenant.pk):
        pass


def test_every_table_that_names_a_tenant_by_key_names_it_by_that_name() -> None:
    for model in apps.get_app_config("runs").get_models():
        assert isinstance(model._meta.get_field("tenant_id"), models.UUIDField)
