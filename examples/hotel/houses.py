"""The houses: what a night costs, how many rooms there are, and in which manner each answers whoever books."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class House:
    """One house. Seconds are what its manner takes; `fee_nights` is what it keeps when a booking is cancelled."""

    name: str
    rate: Decimal
    rooms: int = 40  # a night
    fee_nights: int = 0
    busy_calls: int = 0  # the first calls for a booking are answered 503
    confirms_after_seconds: float = 0  # it takes a booking (202) and says later how it stands
    overbooked: bool = False  # what it says then is no
    loses_the_line: bool = False  # the first call for a booking is done, and never answered
    hears_late_seconds: float = 0  # what was booked is seen by a status query only after this long


HOUSES = {
    "harbour-house": House("Harbour House", Decimal("89.00"), fee_nights=1),
    "grand-meridian": House("Grand Meridian", Decimal("214.00"), rooms=1, fee_nights=1),
    "station-hotel": House("Station Hotel", Decimal("74.50"), busy_calls=2),
    "old-mill": House("The Old Mill", Decimal("118.00"), confirms_after_seconds=20),
    "casa-miramar": House("Casa Miramar", Decimal("132.00"), confirms_after_seconds=15, overbooked=True),
    "pension-alma": House("Pension Alma", Decimal("61.00"), loses_the_line=True, hears_late_seconds=45),
}
