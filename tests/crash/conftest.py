"""One running product for all files that kill parts of it and put them back: two banks, and contracts of payments."""

from collections.abc import Iterator

import pytest

from tests.crash.paying import contracts
from tests.crash.payments import Payments
from tests.crash.stack import stack


@pytest.fixture(scope="session")
def _product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Payments]:
    with stack(tmp_path_factory.mktemp("product"), "bank-keeps", "bank-forgets") as made:
        made.apply(contracts())
        made.start_bank("--no-idempotency")
        made.start_bank("--no-idempotency", name="bank-forgets")
        made.start_web()
        made.start_clock()
        yield Payments(made)


@pytest.fixture
def here(_product: Payments) -> Iterator[Payments]:
    """The product without any worker; those that a test starts are ended after it."""
    yield _product
    _product.put_back()
