"""The words for a request, a grant and a use of one, with the tables of their legal moves, from which guards, diagram and refusals come."""

PENDING = "pending"
APPROVED = "approved"
CONSUMED = "consumed"
DENIED = "denied"
EXPIRED = "expired"
WITHDRAWN = "withdrawn"
LAPSED = "lapsed"
REROUTED = "rerouted"
REVOKED = "revoked"

INITIAL = frozenset({PENDING})
MOVES = {
    "approve": (frozenset({PENDING}), frozenset({APPROVED})),
    "deny": (frozenset({PENDING}), frozenset({DENIED})),
    "expire": (frozenset({PENDING}), frozenset({EXPIRED})),
    "consume": (frozenset({APPROVED}), frozenset({CONSUMED})),
    "lapse": (frozenset({APPROVED}), frozenset({LAPSED})),
    "withdraw": (frozenset({PENDING, APPROVED}), frozenset({WITHDRAWN})),
    "reroute": (frozenset({PENDING, APPROVED, CONSUMED}), frozenset({REROUTED})),
    "revoke": (frozenset({APPROVED, CONSUMED}), frozenset({REVOKED})),
}
STATES = (PENDING, APPROVED, CONSUMED, DENIED, EXPIRED, WITHDRAWN, LAPSED, REROUTED, REVOKED)
CLOSED = frozenset(STATES) - {PENDING, APPROVED}

PROPOSED_GRANT = "proposed"
ACTIVE = "active"
DECLINED = "declined"
GRANT_REVOKED = "revoked"
ENDED = "ended"

GRANT_INITIAL = frozenset({PROPOSED_GRANT})
GRANT_MOVES = {
    "confirm": (frozenset({PROPOSED_GRANT}), frozenset({ACTIVE})),
    "decline": (frozenset({PROPOSED_GRANT}), frozenset({DECLINED})),
    "revoke": (frozenset({PROPOSED_GRANT, ACTIVE}), frozenset({GRANT_REVOKED})),
    "end": (frozenset({PROPOSED_GRANT, ACTIVE}), frozenset({ENDED})),
}
GRANT_STATES = (PROPOSED_GRANT, ACTIVE, DECLINED, GRANT_REVOKED, ENDED)
GRANT_ENDED = frozenset({DECLINED, GRANT_REVOKED, ENDED})

RESERVED = "reserved"
SPENT = "spent"
RETURNED = "returned"

USE_INITIAL = frozenset({RESERVED})
USE_MOVES = {
    "spend": (frozenset({RESERVED}), frozenset({SPENT})),
    "return": (frozenset({RESERVED}), frozenset({RETURNED})),
}
USE_STATES = (RESERVED, SPENT, RETURNED)
