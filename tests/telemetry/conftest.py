"""Telemetry is tested on the fixed cast, the shop and the example bank."""

from tests.api.conftest import acme, agent
from tests.runs.banking import bank
from tests.shop import one_role, rival, shop
from tests.telemetry.hearing import heard

__all__ = ["acme", "agent", "bank", "heard", "one_role", "rival", "shop"]
