"""What a key may be for: an agent's drives runs, a member's recovers, decides or compensates. Neither has a scope of the other's."""

from collections.abc import Mapping
from typing import Final

READ, WRITE = "runs:read", "runs:write"
RECOVERY_READ, RECOVERY_WRITE = "recovery:read", "recovery:write"
APPROVALS_READ, APPROVALS_DECIDE = "approvals:read", "approvals:decide"
COMPENSATION_READ, COMPENSATION_DECIDE = "compensation:read", "compensation:decide"
AGENTS: Final = (READ, WRITE)
RECOVERY: Final = (RECOVERY_READ, RECOVERY_WRITE)
APPROVALS: Final = (APPROVALS_READ, APPROVALS_DECIDE)
COMPENSATION: Final = (COMPENSATION_READ, COMPENSATION_DECIDE)
MEMBERS: Final = (*RECOVERY, *APPROVALS, *COMPENSATION)
OF: Final = {"agent": AGENTS, "member": MEMBERS}  # whose key: what it may have

# whose keys a door is for: what reading needs, and what everything else needs (None: such a key does nothing else there)
Opens = Mapping[str, tuple[str, str | None]]
FOR_AGENTS: Final[Opens] = {"agent": AGENTS}
FOR_RECOVERY: Final[Opens] = {"member": RECOVERY}
FOR_APPROVERS: Final[Opens] = {"member": APPROVALS}
FOR_AGENTS_AND_READERS: Final[Opens] = {"agent": AGENTS, "member": (APPROVALS_READ, None)}
FOR_AGENTS_AND_APPROVERS: Final[Opens] = {"agent": AGENTS, "member": APPROVALS}
FOR_COMPENSATION: Final[Opens] = {"member": COMPENSATION}
FOR_AGENTS_AND_COMPENSATION: Final[Opens] = {"agent": AGENTS, "member": COMPENSATION}
