"""How the bank behaves when it is shown: well, and now and then the way the world is."""

from hashlib import sha256

from examples.bank.behaviours import Behaviour
from examples.bank.script import Asked

# Each happens to one key in 32.
BAD_LUCK = (
    Behaviour("commit_and_drop"),
    Behaviour("rate_limit", {"seconds": 3}),
    Behaviour("unavailable", {"seconds": 2}),
    Behaviour("reject", {"reason": "The card has expired."}),
    Behaviour("slow", {"seconds": 4}),
)
CLOSED = Behaviour("reject", {"reason": "The account is closed."})  # what was charged to it cannot be paid back


def gentle(asked: Asked) -> Behaviour | None:
    """Choose by the key, so that the same call is always treated the same; a second call is served at once. A charge to an account that was
    closed meanwhile is never paid back."""
    if asked.request.method != "POST":
        return None
    if asked.request.path.endswith("/refund") and "closed" in str(asked.body.get("reason")):
        return CLOSED
    luck, haste = sha256(asked.key.encode()).digest()[:2]
    if asked.nth == 1 and luck // 8 < len(BAD_LUCK):
        return BAD_LUCK[luck // 8]
    return Behaviour("slow", {"seconds": 0.05 + haste / 600})
