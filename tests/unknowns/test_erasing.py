"""Erasing a run takes what people wrote of what they found, and their files; the record goes on holding (R-M1)."""

import pytest

from console.database import crossing_tenants
from console.http.refusals import KeyExpired
from runs import erasing
from runs.erasing import NotToErase
from runs.models import EvidenceFile, Resolution
from runs.unknowns import evidence
from runs.unknowns.resolving import Upload
from tests import clock
from tests.cast import inside
from tests.record import findings
from tests.shop import Shop
from tests.unsure import claim_it, find, partial, unknown

LATER = 60 * clock.DAY
SAID = ["the statement of Ana Lindqvist", "https://bank.example/ana", "ana.txt", "ref-ana"]


def erase(shop: Shop, run: object) -> None:
    """Erase it, as the command does for an admin."""
    with crossing_tenants():
        erasing.erase(shop.actor("dora"), run, reason="She asked for it.")  # type: ignore[arg-type]  # a run's id


def test_what_was_found_is_erased_and_what_remains_is_verified(shop: Shop) -> None:
    effect = unknown(shop, completes_itself=True)
    claim_it(shop, effect)
    file = Upload(SAID[2], "text/plain", b"paid to Ana")
    find(
        shop, effect, evidence=SAID[0], link=SAID[1], reference=SAID[3], result={"to": "Ana"}, files=[file], key="found"
    )
    with clock.at(LATER):
        erase(shop, effect.run_id)
        with pytest.raises(KeyExpired):
            find(
                shop,
                effect,
                evidence=SAID[0],
                link=SAID[1],
                reference=SAID[3],
                result={"to": "Ana"},
                files=[file],
                key="found",
            )
    with inside():
        kept, left = Resolution.objects.get(), EvidenceFile.objects.get()
        assert evidence.file(shop.tenant.pk, left.pk) is not None
    assert (kept.evidence, kept.link, kept.result, kept.reference) == ("[erased]", "", None, "")
    assert (kept.exit, kept.state, kept.proposed_by_id) == ("happened", "in_force", shop.members["oscar"].pk)
    assert (left.name, left.content, left.digest) == ("[erased]", None, file.digest)
    assert findings() == []


def test_what_was_done_in_part_is_kept_until_its_rest_is_settled(shop: Shop) -> None:
    effect = partial(shop, run_type="lenient")
    shop.complete(effect.run_id, accepting=[effect.pk])
    with clock.at(LATER):
        with pytest.raises(NotToErase):
            erase(shop, effect.run_id)
        find(shop, effect, "rest_settled")
        erase(shop, effect.run_id)
    assert findings() == []
