import pytest

from tests.examples.banking import opened


@pytest.fixture
async def customer(tmp_path):
    async with opened(tmp_path / "ledger.jsonl") as customer:
        yield customer
