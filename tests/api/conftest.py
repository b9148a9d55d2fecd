"""The API is tested with the fixed cast: acme's agent calls; globex is somebody else's company."""

import pytest

from tests.api.desk import Caller, contracts, key_for
from tests.cast import Company, acme, globex

__all__ = ["acme", "globex"]


@pytest.fixture
def agent(acme: Company) -> Caller:
    """acme's agent, with its key."""
    contracts(acme)
    return Caller(key_for(acme))


@pytest.fixture
def stranger(globex: Company) -> Caller:
    """An agent of another tenant."""
    contracts(globex)
    return Caller(key_for(globex))


@pytest.fixture
def nobody(db: None) -> Caller:
    """Somebody without a key."""
    return Caller(None)
