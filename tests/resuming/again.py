"""Resuming as tests do it: by the agent's process, with the versions that it runs with."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from uuid import UUID

from console.exact import decode
from console.notices.models import Notice
from runs.models import Resumption
from runs.resuming.facts import Asked
from runs.resuming.resume import resume
from tests import clock
from tests.cast import inside
from tests.shop import Shop

VERSIONS = {
    "model": "m-1", "prompt": "p-1", "policy": "y-1", "context": "c-1", "interface": "i-1", "workflow": "w-1", "code": "a1b2",
}  # fmt: skip
LEASE = 60
PINNED = """
apiVersion: counterfoil/v1
kind: RunType
name: pinned
version: {version}
description: A few things to do, by a driver that may not change as it likes.
consequential: false
operations: "*"
complete_with_unresolved: false
deadline_seconds: 7200
pins: {{model: decide, prompt: continue, policy: {policy}, context: continue, interface: {interface}, workflow: quarantine, code: decide}}
checkpoint: {{schema_version: 2, boundaries: [transition], max_lost_progress: Nothing.}}
unknown: {{before_continue: {unknown}}}
quarantine: {{to: finance, path: Somebody of finance reads the history.}}
"""
_keys = count()


def again(
    shop: Shop, run: UUID, *, holder: str = "second", versions: dict[str, str] | None = None, epoch: int | None = None, key: str = "",
    schema: int | None = None, checkpoint: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Resume a run."""
    asked = Asked(holder, VERSIONS if versions is None else versions, schema, checkpoint)
    return resume(shop.bot, run, asked, key=key or f"resume-{next(_keys)}", epoch=epoch)


@contextmanager
def after_the_lease() -> Iterator[None]:
    """Be past the lease of whoever drove, of whom nothing was heard."""
    with clock.at(LEASE + 1):
        yield


def pinned(
    version: int = 1, *, policy: str = "continue", interface: str = "continue", unknown: str = "reconcile"
) -> str:
    """Write the contract of a type of run with pins."""
    return PINNED.format(version=version, policy=policy, interface=interface, unknown=unknown)


def last(run: UUID) -> Resumption:
    """Read the last resume of a run."""
    with inside():
        return Resumption.objects.filter(run_id=run).order_by("-number")[0]


def steps(run: UUID) -> dict[str, str]:
    """Give what each step of the last resume came to."""
    found: Any = decode(last(run).steps)
    return {step["step"]: step["result"] for step in found}


def detail(run: UUID, step: str) -> str:
    """Give what a step of the last resume said."""
    found: Any = decode(last(run).steps)
    return next(each["detail"] for each in found if each["step"] == step)


def brief(run: UUID) -> Any:
    """Give the brief of the last resume."""
    text = last(run).brief
    assert text is not None
    return decode(text)


def notices(shop: Shop) -> list[Notice]:
    """Give what the shop's people were told, in order."""
    with inside():
        return list(Notice.objects.filter(tenant_id=shop.tenant.pk).order_by("posted_at"))
