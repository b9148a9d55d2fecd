"""What the API's answers about checkpoints look like: a driver that keeps its plan while finance is asked about a refund."""

from typing import Any, Final

from console.exact import digest
from runs.api.shown import DONE, EFFECT_ID, MADE, RUN_ID, TENANT_ID

STATE: Final[dict[str, Any]] = {
    "plan": ["refund", "tell the customer"], "effects": [{"key": "refund", "state": "awaiting_approval"}]
}  # fmt: skip
SAID: Final[dict[str, Any]] = {
    "form": 1, "version": 3,
    "effects": {"pending": [{"id": EFFECT_ID, "key": "refund", "state": "awaiting_approval"}], "in_flight": [], "unknown": []},
}  # fmt: skip
REPORT: Final[dict[str, Any]] = {
    "name": "photos", "reference": "s3://cases/4711/photos.zip", "digest": digest("photos").hex(), "media_type": "application/zip",
    "bytes": 48211,
}  # fmt: skip
SENT: Final[dict[str, Any]] = {
    "schema_version": 2, "versions": {"model": "m-4", "prompt": "refunds-7"}, "state": STATE, "artifacts": [REPORT],
    "note": "Finance is asked; then the customer is told.",
}  # fmt: skip
RECEIPT: Final[dict[str, Any]] = {
    "run": RUN_ID, "number": 1, "at": DONE, "seq": 3, "version": 4, "authoritative_digest": digest(SAID).hex(),
    "state_digest": digest(STATE).hex(), "contradictions": [],
}  # fmt: skip
CHECKPOINT: Final[dict[str, Any]] = {
    "number": 1, "boundary": "driver", "at": DONE, "by": f"agent:{TENANT_ID}", "epoch": 1, "seq": 3, "schema_version": 2,
    "versions": SENT["versions"], "artifacts": [REPORT], "note": SENT["note"], "authoritative_digest": digest(SAID).hex(),
    "state_digest": digest(STATE).hex(), "state_bytes": 92, "media_type": "application/json", "dropped_at": None, "contradictions": [],
}  # fmt: skip
WITH_STATE: Final[dict[str, Any]] = {**CHECKPOINT, "authoritative": SAID, "state": STATE, "withheld": False}
PLACE: Final[dict[str, Any]] = {"seq": 2, "boundary": "transition", "kind": "effect.proposed", "at": MADE}
PLACE_TOLD: Final[dict[str, Any]] = {**PLACE, "authoritative": {**SAID, "version": 2}}
