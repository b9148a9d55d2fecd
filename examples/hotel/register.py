"""The register: bookings and cancellations by key, each a line of the hotel's own file before anybody is told of it.

How a booking stands follows from its line and the time, so nothing is under way that a restart could lose."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from typing import Any

from examples.bank.documents import write
from examples.bank.ledger import Ledger
from examples.hotel.houses import HOUSES, House

REQUESTED, CONFIRMED, TURNED_DOWN, CANCELLED = "requested", "confirmed", "turned_down", "cancelled"
MOST_NIGHTS = 60


class NotPossible(Exception):
    """The hotel refuses, for the reason that is its message."""


class OtherKey(Exception):
    """This key was used for something else."""


@dataclass(slots=True)
class Booking:
    """One booking, as the register has it."""

    id: str
    key: str
    digest: str
    house: House
    guest: str
    arrival: date
    nights: int
    amount: str
    currency: str
    at: float
    cancelled_by: str | None = None
    fee: str = "0.00"

    def nights_taken(self) -> Iterator[date]:
        """Give the nights that it takes a room for."""
        return (self.arrival + timedelta(days=night) for night in range(self.nights))

    def stands(self, now: float) -> str:
        """Say how it stands at that time."""
        if self.cancelled_by is not None:
            return CANCELLED
        if now < self.at + self.house.confirms_after_seconds:
            return REQUESTED
        return TURNED_DOWN if self.house.overbooked else CONFIRMED


class Register:
    """What was booked and cancelled. `clock` gives the time in seconds."""

    def __init__(self, ledger: Ledger, clock: Callable[[], float] = time.time) -> None:
        self.ledger = ledger
        self.clock = clock
        self.bookings: dict[str, Booking] = {}
        self.by_key: dict[str, Booking] = {}
        self.cancelled: dict[str, tuple[str, Booking]] = {}  # by the cancellation's key: its digest and the booking
        for line, _ in ledger.entries():
            if line["what"] == "booking":
                self._keep_booking(line)
            else:
                self._keep_cancellation(line)

    def book(self, key: str, asked: dict[str, Any], raw: bytes) -> Booking:
        """Book a room, once for each key. Raises NotPossible, OtherKey, and OSError when the file refuses it."""
        if found := self.by_key.get(key):
            if found.digest != digest(raw):
                raise OtherKey
            return found
        line = self._readable(asked) | {"what": "booking", "key": key, "digest": digest(raw), "at": self.clock()}
        line["id"] = f"hb_{len(self.bookings) + 1:05d}"
        self._check_free(HOUSES[line["house"]], date.fromisoformat(line["arrival"]), line["nights"])
        self.ledger.append(write(_written(line)))
        return self._keep_booking(line)

    def cancel(self, key: str, booking_id: str, raw: bytes) -> Booking:
        """Cancel a booking, once for each key. Raises NotPossible, OtherKey, and OSError when the file refuses it."""
        if before := self.cancelled.get(key):
            if before[0] != digest(raw) or before[1].id != booking_id:
                raise OtherKey
            return before[1]
        booking = self.bookings.get(booking_id)
        if booking is None:
            raise NotPossible(f"There is no booking {booking_id}.")
        if booking.stands(self.clock()) != CONFIRMED:
            raise NotPossible(f"Booking {booking_id} is {booking.stands(self.clock()).replace('_', ' ')}.")
        line = {"what": "cancellation", "key": key, "digest": digest(raw), "booking": booking_id, "at": self.clock()}
        line["fee"] = str(booking.house.rate * min(booking.house.fee_nights, booking.nights))
        self.ledger.append(write(_written(line)))
        return self._keep_cancellation(line)

    def seen(self, key: str) -> Booking | None:
        """Give the key's booking, as a status query sees it: a house that hears late has not seen the newest."""
        found = self.by_key.get(key)
        late = found is not None and self.clock() < found.at + found.house.hears_late_seconds
        return None if late else found

    def _readable(self, asked: dict[str, Any]) -> dict[str, Any]:
        house, guest, nights = asked.get("house"), asked.get("guest"), asked.get("nights")
        if house not in HOUSES:
            raise NotPossible("There is no such house.")
        try:
            arrival, amount = date.fromisoformat(str(asked.get("arrival"))), Decimal(str(asked.get("amount")))
        except (ValueError, InvalidOperation):
            raise NotPossible("The day of arrival or the amount cannot be read.") from None
        if not isinstance(nights, int) or not 0 < nights <= MOST_NIGHTS or not guest:
            raise NotPossible("A booking needs a guest, and nights between 1 and 60.")
        due = HOUSES[house].rate * nights
        if amount != due or asked.get("currency") != "EUR":
            raise NotPossible(f"The price is {due} EUR, not {asked.get('amount')} {asked.get('currency')}.")
        told = {"house": house, "guest": str(guest), "arrival": arrival.isoformat(), "nights": nights}
        return told | {"amount": str(due), "currency": "EUR"}

    def _check_free(self, house: House, arrival: date, nights: int) -> None:
        for night in (arrival + timedelta(days=number) for number in range(nights)):
            taken = sum(
                each.house is house and each.stands(self.clock()) != CANCELLED and night in set(each.nights_taken())
                for each in self.bookings.values()
            )
            if taken >= house.rooms:
                raise NotPossible(f"{house.name} is sold out on the night of {night.isoformat()}.")

    def _keep_booking(self, line: dict[str, Any]) -> Booking:
        booking = Booking(
            line["id"], line["key"], line["digest"], HOUSES[line["house"]], line["guest"],
            date.fromisoformat(line["arrival"]), line["nights"], line["amount"], line["currency"], float(line["at"]),
        )  # fmt: skip
        self.bookings[booking.id] = self.by_key[booking.key] = booking
        return booking

    def _keep_cancellation(self, line: dict[str, Any]) -> Booking:
        booking = self.bookings[line["booking"]]
        booking.cancelled_by, booking.fee = line["key"], line["fee"]
        self.cancelled[line["key"]] = (line["digest"], booking)
        return booking


def digest(raw: bytes) -> str:
    """Give the digest by which the hotel tells whether two requests ask for the same."""
    return sha256(raw).hexdigest()


def _written(line: dict[str, Any]) -> dict[str, Any]:
    said = datetime.fromtimestamp(line["at"], UTC).isoformat(timespec="seconds")
    return {**line, "at": f"{line['at']:.6f}", "on": said}
