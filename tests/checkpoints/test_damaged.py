"""R-G3: what was kept is compared with its digest before anybody uses it; what is damaged, cut off or locked is never guessed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from cryptography.fernet import Fernet

from runs.checkpoints import reading, sealing
from runs.checkpoints.reading import Corrupted, Gone
from tests.checkpoints.keeping import checkpoint, keep
from tests.record import findings, forger
from tests.shop import Shop, draft

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda sealed: sealed[: len(sealed) // 2],
    "one bit": lambda sealed: sealed[:40] + bytes([sealed[40] ^ 1]) + sealed[41:],
    "empty": lambda sealed: b"",
    "something else": lambda sealed: b"not what was sealed, but long enough to be looked at as if it were",
    "another's state": lambda sealed: sealing.seal(b'{"plan":"pay everybody"}')[0],
    "the first half of its text, sealed anew": lambda sealed: sealing.seal(sealing.unseal(sealed)[:10])[0],
}


@pytest.fixture
def run(shop: Shop) -> UUID:
    made = shop.accept(draft("a"))
    keep(shop, made, {"plan": ["look", "pay", "tell"]})
    return made


@contextmanager
def altered(run: UUID, column: str, value: object) -> Iterator[None]:
    """Alter a checkpoint behind the product's back, and put it right again."""
    before = getattr(checkpoint(run), column)
    for content in (value, before):
        with forger() as hand:
            hand.execute(f"update runs_checkpoint set {column} = %s where run_id = %s", [content, run])
        if content is value:
            yield


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_state_is_never_given_and_verify_names_it(run: UUID, damage: str) -> None:
    kept = checkpoint(run)
    with altered(run, "state", DAMAGES[damage](bytes(kept.state or b""))):
        with pytest.raises(Corrupted):
            reading.opened(checkpoint(run))
        with pytest.raises(Corrupted):
            reading.value(checkpoint(run))
        assert [finding.where for finding in findings()] == [f"checkpoint {kept.pk} state"]


def test_a_state_that_vanished_is_gone_and_verify_names_it(run: UUID) -> None:
    kept = checkpoint(run)
    with altered(run, "state", None):
        with pytest.raises(Gone):
            reading.opened(checkpoint(run))
        assert [finding.where for finding in findings()] == [f"checkpoint {kept.pk} state"]


def test_an_altered_authoritative_part_is_never_given(run: UUID) -> None:
    with altered(run, "authoritative", '{"effects":{}}'), pytest.raises(Corrupted):
        reading.said(checkpoint(run))


def test_a_state_whose_key_is_gone_cannot_be_opened(run: UUID, settings: Any) -> None:
    settings.CHECKPOINT_KEYS = (Fernet.generate_key().decode(),)
    with pytest.raises(Corrupted):
        reading.opened(checkpoint(run))


def test_a_key_that_seals_no_more_opens_what_it_sealed(run: UUID, settings: Any) -> None:
    settings.CHECKPOINT_KEYS = (Fernet.generate_key().decode(), *settings.CHECKPOINT_KEYS)
    assert reading.value(checkpoint(run)) == {"plan": ["look", "pay", "tell"]}
