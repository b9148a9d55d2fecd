"""R-G3: keys are changed while everything works: the new one seals, the old one opens, and `manage.py reseal` makes it needless."""

import io
from typing import Any
from uuid import UUID

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command

from console import checks, service_checks
from console.database import crossing_tenants
from runs.checkpoints import reading, resealing, sealing
from tests.checkpoints.keeping import checkpoint, keep
from tests.ledger.story import altered
from tests.record import findings, told
from tests.shop import Shop, draft

STATE = {"plan": ["look", "pay"]}


def reseal(*words: str) -> str:
    said = io.StringIO()
    call_command("reseal", *words, stdout=said)
    return said.getvalue()


def changed(settings: Any) -> tuple[str, str]:
    """Put a new key before the old one; gives the names of both."""
    (old,) = settings.CHECKPOINT_KEYS
    new = Fernet.generate_key().decode()
    settings.CHECKPOINT_KEYS = (new, old)
    return sealing.fingerprint(new), sealing.fingerprint(old)


@pytest.fixture
def run(shop: Shop) -> UUID:
    made = shop.accept(draft("a"))
    for _ in range(3):
        keep(shop, made, STATE)
    return made


@pytest.mark.usefixtures("one_role")
def test_after_it_the_old_key_is_not_needed_and_the_record_is_as_it_was(shop: Shop, run: UUID, settings: Any) -> None:
    before = told(shop.run(run).stream())
    new, old = changed(settings)
    assert f"3 states are sealed with {old}, an older key." in reseal("--check")
    assert f"3 states are sealed with {new}, the key that seals." in reseal()
    settings.CHECKPOINT_KEYS = settings.CHECKPOINT_KEYS[:1]
    assert [reading.value(checkpoint(run, number)) for number in (1, 2, 3)] == [STATE] * 3
    assert told(shop.run(run).stream()) == before
    assert findings() == []


@pytest.mark.usefixtures("one_role")
def test_what_it_has_done_it_does_not_do_again(run: UUID, settings: Any) -> None:
    changed(settings)
    reseal()
    sealed = bytes(checkpoint(run).state or b"")
    assert "Nothing is left" in reseal()
    assert bytes(checkpoint(run).state or b"") == sealed


@pytest.mark.usefixtures("one_role")
def test_a_batch_goes_on_where_the_last_one_ended(run: UUID, settings: Any) -> None:
    changed(settings)
    with crossing_tenants():
        first = resealing.reseal_some(None, 2)
        assert first is not None
        assert first.done == 2
        second = resealing.reseal_some(first.last, 2)
        assert second is not None
        assert (second.done, resealing.reseal_some(second.last, 2)) == (1, None)


@pytest.mark.usefixtures("one_role")
def test_a_damaged_state_is_left_and_told_of(run: UUID, settings: Any) -> None:
    changed(settings)
    with (
        altered("runs_checkpoint", checkpoint(run, 2).pk, "state"),
        pytest.raises(CommandError, match="1 states cannot be opened"),
    ):
        reseal()
    assert reading.value(checkpoint(run, 3)) == STATE


@pytest.mark.usefixtures("one_role")
def test_a_key_that_is_missing_is_named_by_the_command_and_at_the_start(run: UUID, settings: Any) -> None:
    old = sealing.names()[0]
    settings.CHECKPOINT_KEYS = (Fernet.generate_key().decode(),)
    with pytest.raises(CommandError, match=old):
        reseal("--check")
    (message,) = [each for each in service_checks.database(None) if each.id == "counterfoil.E022"]
    assert old in message.msg


@pytest.mark.usefixtures("run")
def test_with_its_keys_nothing_is_said_at_the_start() -> None:
    assert [each for each in service_checks.database(None) if each.id == "counterfoil.E022"] == []


def test_without_any_key_the_start_says_that_no_state_is_kept(settings: Any) -> None:
    assert checks.checkpoint_keys(None) == []
    settings.CHECKPOINT_KEYS = ()
    assert [each.id for each in checks.checkpoint_keys(None)] == ["counterfoil.W024"]


def test_migrations_that_cannot_be_imported_are_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.migrations_of_checkpoints(None) == []
    monkeypatch.setenv("COUNTERFOIL_MIGRATIONS", "tests.checkpoints.nowhere, json")
    (message,) = checks.migrations_of_checkpoints(None)
    assert (message.id, "tests.checkpoints.nowhere" in message.msg) == ("counterfoil.E023", True)
