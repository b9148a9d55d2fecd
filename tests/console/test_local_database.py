"""The three roles, and the database that tests are given."""

import os

import psycopg
import pytest
from django.conf import settings
from django.db import connections, transaction

from console.identity.models import Tenant
from console.local.roles import APP, OWNER, WORKER
from tests import databases

pytestmark = pytest.mark.django_db


def who(alias: str) -> tuple[str, str]:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT current_user, current_database()")
        return cursor.fetchone()


def test_each_alias_is_a_role_of_its_own_on_the_same_database():
    database = databases.name()
    assert [who(alias) for alias in ("default", "owner", "worker")] == [
        (APP, database),
        (OWNER, database),
        (WORKER, database),
    ]


@pytest.mark.parametrize("alias", ["default", "worker"])
def test_who_serves_is_neither_superuser_nor_owner(alias):
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False, False)
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user")
        assert cursor.fetchone() == (0,)
        cursor.execute(
            "SELECT has_schema_privilege('public', 'create'), has_database_privilege(current_database(), 'temp')"
        )
        assert cursor.fetchone() == (False, False)


def test_what_the_owner_makes_is_read_and_written_by_the_others():
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE TABLE made_by_owner (id bigserial, word text)")
    try:
        for alias in ("default", "worker"):
            with connections[alias].cursor() as cursor:
                cursor.execute("INSERT INTO made_by_owner (word) VALUES (%s) RETURNING id", [alias])
                cursor.execute("UPDATE made_by_owner SET word = word || '!'")
                cursor.execute("DELETE FROM made_by_owner")
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    cursor.connection.execute("TRUNCATE made_by_owner")
                cursor.connection.rollback()
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute("DROP TABLE made_by_owner")


def test_the_database_does_not_trust_without_a_password():
    known = settings.DATABASES["default"]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(host=str(known["HOST"]), user=APP, password="wrong", dbname=str(known["NAME"]))


def test_a_given_environment_is_never_used_by_the_tests():
    assert os.environ["DATABASE_URL"].split("/")[3].startswith("test_")


def test_a_test_leaves_rows_behind():
    Tenant.objects.using("owner").create(slug="left-behind", name="Left behind")
    connections["worker"].cursor().execute("BEGIN")


def test_the_next_one_finds_none_and_every_role_at_its_service():
    for alias in ("default", "owner", "worker"):
        with transaction.atomic(using=alias):
            assert Tenant.objects.using(alias).count() == 0
