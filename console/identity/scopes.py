"""What a key may be for: an agent's reads and drives runs, a member's recovers what ended badly. Neither has a scope of the other's."""

from typing import Final

READ, WRITE = "runs:read", "runs:write"
RECOVERY_READ, RECOVERY_WRITE = "recovery:read", "recovery:write"
AGENTS: Final = (READ, WRITE)
MEMBERS: Final = (RECOVERY_READ, RECOVERY_WRITE)
OF: Final = {"agent": AGENTS, "member": MEMBERS}  # whose: what reading needs, and what everything else needs
