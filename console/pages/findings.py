"""What people found out about an effect, as every page shows it: by what, who said so too, and what became of the finding."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from console.exact import Value, decode
from console.identity.models import Member
from runs.models import EvidenceFile, Resolution
from runs.unknowns.exits import TITLES, WAITS, Exit


@dataclass(frozen=True, slots=True)
class File:
    """A file beside a finding."""

    id: UUID
    name: str
    size: int
    erased: bool


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """What somebody found out, by what, and what became of the finding."""

    id: UUID
    title: str
    evidence: str
    link: str
    reason: str
    result: Value
    reference: str
    look_again_at: datetime | None
    extra_attempts: int
    to_group: str
    state: str
    by_name: str
    by_me: bool
    at: datetime
    decided_by_name: str
    decided_at: datetime | None
    decided_reason: str
    needs_second: bool
    files: list[File]
    next: str = ""


def finding(resolution: Resolution, member: Member, ways: Sequence[Exit] = ()) -> ShownFinding:
    """Show a finding to a member, with what follows when it is confirmed."""
    way = next((each for each in ways if (each.name, each.then) == (resolution.exit, resolution.then)), None)
    return ShownFinding(
        id=resolution.pk, title=TITLES.get((resolution.exit, resolution.then), resolution.exit.replace("_", " ")),
        evidence=resolution.evidence, link=resolution.link, reason=resolution.reason,
        result=None if resolution.result is None else decode(resolution.result), reference=resolution.reference,
        look_again_at=resolution.look_again_at, extra_attempts=resolution.extra_attempts, to_group=resolution.to_group,
        state=resolution.state, by_name=resolution.proposed_by.user.name, by_me=resolution.proposed_by_id == member.pk,
        at=resolution.proposed_at, decided_by_name=resolution.decided_by.user.name if resolution.decided_by else "",
        decided_at=resolution.decided_at, decided_reason=resolution.decided_reason, needs_second=resolution.needs_second,
        files=[_file(each) for each in resolution.files.all()], next=way.next.removeprefix(WAITS) if way else "",
    )  # fmt: skip


def _file(file: EvidenceFile) -> File:
    return File(file.pk, file.name, file.size, file.content is None)
