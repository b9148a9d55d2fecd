"""The reception: what is asked at which address, and how the house that is asked for treats it."""

import hmac
from typing import Any

from examples.bank.behaviours import said
from examples.bank.documents import read
from examples.bank.wire import HANG, Reply, Request
from examples.hotel.houses import HOUSES
from examples.hotel.register import CANCELLED, CONFIRMED, REQUESTED, Booking, NotPossible, OtherKey, Register

BUSY_SECONDS = 3


class Reception:
    """Serves requests from the register."""

    def __init__(self, register: Register, token: str) -> None:
        self.register = register
        self.calls: dict[str, int] = {}  # how often each key was used
        self._token = f"Bearer {token}".encode()

    def serve(self, request: Request) -> Reply:
        """Answer one request."""
        if request.path == "/health":
            return said(200, ok=True, bookings=len(self.register.bookings))
        if not hmac.compare_digest(request.headers.get("authorization", "").encode("latin-1"), self._token):
            return said(401, {"WWW-Authenticate": "Bearer"}, reason="The token is missing or wrong.")
        reply = self._change(request) if request.method == "POST" else self._question(request)
        return reply or said(404, reason="There is nothing here.")

    def _change(self, request: Request) -> Reply | None:
        match request.path.strip("/").split("/"):
            case ["bookings"]:
                return self._changed(request, self._book)
            case ["bookings", booking, "cancellation"]:
                return self._changed(request, lambda key, asked, raw: self._cancel(key, booking, raw))
        return None

    def _question(self, request: Request) -> Reply | None:
        match request.path.strip("/").split("/"):
            case ["keys", key]:
                return self._status(key)
            case ["bookings", booking] if booking in self.register.bookings:
                return self._told(self.register.bookings[booking])
            case ["register"]:
                told = [self._shown(each) for each in self.register.bookings.values()]
                return said(200, bookings=told, calls=self.calls)
        return None

    def _changed(self, request: Request, change: Any) -> Reply:
        try:
            asked = read(request.body)
        except ValueError:
            asked = None
        key = request.headers.get("idempotency-key")
        if not isinstance(asked, dict) or not key:
            return said(400, reason="It needs a JSON object and an Idempotency-Key.")
        self.calls[key] = self.calls.get(key, 0) + 1
        try:
            reply: Reply = change(key, asked, request.body)
        except NotPossible as why:
            return said(409, reason=str(why))
        except OtherKey:
            return said(422, reason="This key was used for something else.")
        except OSError as error:
            return said(500, reason=f"The register cannot be written: {error}")
        return reply

    def _book(self, key: str, asked: dict[str, Any], raw: bytes) -> Reply:
        house = HOUSES.get(str(asked.get("house")))
        if house is not None and self.calls[key] <= house.busy_calls:
            return said(503, {"Retry-After": str(BUSY_SECONDS)}, reason="Nobody is at the desk just now.")
        is_new = key not in self.register.by_key
        booking = self.register.book(key, asked, raw)
        if is_new and booking.house.loses_the_line:
            return HANG
        return self._told(booking, 201 if is_new else 200)

    def _cancel(self, key: str, booking: str, raw: bytes) -> Reply:
        return self._told(self.register.cancel(key, booking, raw))

    def _status(self, key: str) -> Reply:
        if before := self.register.cancelled.get(key):
            return self._told(before[1])
        booking = self.register.seen(key)
        return self._told(booking) if booking else said(404, reason="Nothing is in the register under this key.")

    def _told(self, booking: Booking, status: int = 200) -> Reply:
        stands = booking.stands(self.register.clock())
        if stands in {CONFIRMED, CANCELLED}:
            return said(status, **self._shown(booking))
        if stands == REQUESTED:
            return said(202, **self._shown(booking))
        reason = f"{booking.house.name} was overbooked and turned the booking down."
        return said(409, reason=reason, **self._shown(booking))

    def _shown(self, booking: Booking) -> dict[str, Any]:
        told = {
            "booking": booking.id, "key": booking.key, "status": booking.stands(self.register.clock()), "house": booking.house.name,
            "guest": booking.guest, "arrival": booking.arrival.isoformat(), "nights": booking.nights, "amount": booking.amount,
            "currency": booking.currency,
        }  # fmt: skip
        return told | (
            {"fee": booking.fee, "cancelled_under": booking.cancelled_by} if booking.cancelled_by is not None else {}
        )
