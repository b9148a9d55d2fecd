"""Erasing a run takes what people wrote of what they found, and their files; the record goes on holding (R-M1)."""

from datetime import timedelta

import pytest

from console.database import crossing_tenants
from console.http.evidence import Upload
from console.http.refusals import KeyExpired
from runs import erasing, retention
from runs.erasing import NotToErase
from runs.models import EvidenceFile, Resolution
from runs.unknowns import evidence
from runs.unknowns.standing import NotUnknown
from tests import clock
from tests.cast import inside
from tests.record import findings
from tests.shop import Shop, draft
from tests.unsure import claim_it, find, partial, unknown
from tests.work import claimed, settle

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


def test_what_was_done_in_part_is_kept_also_where_nobody_requires_it(shop: Shop) -> None:
    run = shop.accept(draft("a", required=False))
    settle(claimed(), "partial", http=207)
    effect = shop.effect(run, "a")
    shop.complete(run)
    with clock.at(LATER):
        with pytest.raises(NotToErase):
            erase(shop, run)
        assert due_to_go(shop) == 0
        find(shop, effect, "rest_settled", evidence=SAID[0], files=[Upload(SAID[2], "text/plain", b"paid to Ana")])
        assert due_to_go(shop) == 1
        erase(shop, run)
    with inside():
        assert Resolution.objects.get().evidence == "[erased]"
        assert EvidenceFile.objects.get().content is None
    assert findings() == []


def due_to_go(shop: Shop) -> int:
    """Count the runs that retention would let go."""
    with crossing_tenants():
        return next(retention.due({retention.RUNS: timedelta(days=30)}, [shop.tenant])).count


def test_nothing_more_is_written_about_what_was_erased(shop: Shop) -> None:
    effect = partial(shop, run_type="lenient")
    find(shop, effect, "rest_settled")
    shop.complete(effect.run_id)
    with clock.at(LATER):
        erase(shop, effect.run_id)
        with pytest.raises(NotUnknown, match="erased"):
            find(shop, effect, "rest_settled", evidence=SAID[0])
        with pytest.raises(NotUnknown, match="erased"):
            claim_it(shop, effect)
    assert findings() == []
