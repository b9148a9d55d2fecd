"""The pages on which a run is corrected and given more: forms that need no JavaScript, answered with what stands then."""

from typing import Any
from uuid import uuid4

from runs.limits import usage
from runs.models import Correction, Effect, Run
from tests.cast import Company, inside, signed_in, work
from tests.work import claim


def post(acme: Company, name: str, run: Run, deed: str, **typed: str) -> Any:
    """Send a form as a member."""
    return signed_in(acme.members[name]).post(f"/runs/{run.pk}/{deed}", {"idempotency_key": str(uuid4()), **typed})


def page(acme: Company, name: str, run: Run, deed: str = "") -> str:
    """Read a page as a member."""
    answer = signed_in(acme.members[name]).get(f"/runs/{run.pk}{f'/{deed}' if deed else ''}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_operator_corrects_a_run_and_its_page_says_so(acme: Company) -> None:
    run = acme.run()
    effect = acme.propose(run)
    answer = post(
        acme, "oscar", run, "corrections", text="At most 50 <euros>.", source="the phone", operation="refund", argument="amount", op="lte",
        value="50",
    )  # fmt: skip
    assert (answer.status_code, answer["Location"]) == (303, f"/runs/{run.pk}#corrections")
    assert acme.read(Effect, effect.pk).state == "withdrawn"
    shown = page(acme, "ann", run)
    for said in (
        "At most 50 &lt;euros&gt;.",
        "the phone",
        "refund only where the amount is at most 50",
        "Not taken into account yet",
    ):
        assert said in shown
    assert "Correct this run" not in shown
    assert "Correct this run" in page(acme, "oscar", run)


def test_a_correction_that_is_not_understood_is_shown_again_with_what_was_typed(acme: Company) -> None:
    run = acme.run()
    answer = post(acme, "oscar", run, "corrections", text="Less.", operation="refund", op="lte", value="50")
    assert answer.status_code == 422
    assert "Less." in answer.content.decode()
    with inside():
        assert not Correction.objects.filter(run=run).exists()


def test_who_may_not_correct_finds_no_form_and_is_refused(acme: Company, globex: Company) -> None:
    run = acme.run()
    assert "<textarea" not in page(acme, "ann", run, "correct")
    assert post(acme, "ann", run, "corrections", text="Mine.").status_code == 403
    assert post(globex, "cara", run, "corrections", text="Mine.").status_code == 404
    assert signed_in(acme.oscar).get(f"/runs/{run.pk}/corrections").status_code == 405


def test_a_person_takes_a_correction_into_account_where_nobody_drives(acme: Company) -> None:
    run = acme.run()
    post(acme, "oscar", run, "corrections", text="Be polite.")
    assert "They are taken into account" in page(acme, "oscar", run, "correct")
    assert post(acme, "oscar", run, "corrections/seen", number="1").status_code == 303
    assert acme.read(Run, run.pk).corrections_seen == 1
    assert post(acme, "oscar", run, "corrections/seen", number="²").status_code == 422


def test_a_run_that_ran_out_says_what_was_done_and_what_not_and_an_operator_gives_it_more(acme: Company) -> None:
    run = acme.run(limits={"attempts": 9, "cost": "2.5"})
    acme.propose(run, amount="20")
    work()
    usage.report(acme.bot, run.pk, epoch=run.epoch, cost="2.500001", key="call")
    shown = page(acme, "ann", run)
    for said in ("Ran out of what it may use", "2.500001", "Refund 20.00 EUR"):
        assert said in shown
    assert "Give it more</a>" not in shown
    assert "Give it more</a>" in page(acme, "oscar", run)
    refused = post(acme, "oscar", run, "more", cost="0.000001", reason="A little.")
    assert refused.status_code == 409
    assert "A little." in refused.content.decode()
    assert post(acme, "oscar", run, "more", cost="nothing", reason="A little.").status_code == 422
    assert post(acme, "ann", run, "more", cost="1", reason="Mine.").status_code == 403
    answer = post(acme, "oscar", run, "more", cost="1.5", reason="It is worth it.")
    assert (answer.status_code, answer["Location"]) == (303, f"/runs/{run.pk}#limits")
    assert (acme.read(Run, run.pk).state, claim()) == ("running", [])


def test_the_same_form_sent_twice_gives_once(acme: Company) -> None:
    run = acme.run(limits={"tokens": 10})
    key = str(uuid4())
    for _ in range(2):
        assert post(acme, "dora", run, "more", tokens="5", reason="Go on.", idempotency_key=key).status_code == 303
    assert '"tokens":15' in acme.read(Run, run.pk).limits


def test_what_a_run_may_use_stands_on_its_page_and_an_auditor_gives_nothing(acme: Company) -> None:
    run = acme.run(limits={"tokens": 1200})
    shown = page(acme, "sam", run)
    assert 'id="limits"' in shown
    assert "0 of 1,200" in shown
    assert "<textarea" not in page(acme, "sam", run, "extend")
