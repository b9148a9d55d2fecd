"""What the small company does otherwise than by HTTP: the example contracts of letters, calls and settlements, and moves around them."""

from typing import Any

from uuid_utils.compat import uuid7

from console import env
from console.documents import load
from console.exact import Value
from runs import intake, performing
from runs.drafts import EffectDraft
from runs.models import Attempt, Effect, Run
from tests.cast import Company, inside, put_in_force

CALL = {
    "order": "1042", "customer": "Ana Lindqvist", "subject": "half of it was missing", "paid": "120.00", "currency": "EUR",
}  # fmt: skip
LEASE = 900.0  # of a call, as its contract has it
ERRANDS = ("letter.yaml", "call.yaml", "settlement.yaml")
SPOKE = {"result.spoke_to": "Ana Lindqvist", "result.wish": "refund", "result.agrees": "yes"}


def with_errands(company: Company) -> Company:
    """Put the example contracts of letters and calls in force."""
    folder = env.BASE_DIR / "examples" / "contracts"
    found = [document for name in ERRANDS for document in load((folder / name).read_text(encoding="utf-8"))]
    put_in_force(company.by, [document for document in found if document.kind != "Policy"])
    return company


def correspondence(company: Company, goal: str = "Answer about order 1042") -> Run:
    """Accept a run in which customers are answered."""
    return company.run(goal, run_type="correspondence")


def call(company: Company, run: Run | None = None, deadline_seconds: int | None = None, **arguments: str) -> Effect:
    """Accept a call that a person makes."""
    run = run or correspondence(company)
    draft = EffectDraft(
        f"call-{uuid7()}", "call_customer", {**CALL, **arguments}, reason="The customer asked to be called.",
        deadline_seconds=deadline_seconds,
    )  # fmt: skip
    return company.read(Effect, intake.propose(company.bot, run.pk, [draft], epoch=run.epoch)[0].effect_id)


def proposed(company: Company, run: Run, operation: str, **arguments: Value) -> Effect:
    """Accept an effect of any operation."""
    draft = EffectDraft(f"{operation}-{uuid7()}", operation, arguments)
    return company.read(Effect, intake.propose(company.bot, run.pk, [draft], epoch=run.epoch)[0].effect_id)


def begun(company: Company, effect: Effect, name: str = "ann") -> dict[str, Any]:
    """Have a member begin it."""
    return performing.begin(company.actor(name), effect.pk, epoch=None, key=f"begin-{uuid7()}")


def attempts(effect: Effect) -> list[Attempt]:
    """Read its attempts."""
    with inside():
        return list(Attempt.objects.filter(effect=effect.pk).order_by("number"))
