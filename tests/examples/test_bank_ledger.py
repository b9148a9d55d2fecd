"""The ledger outlives the bank: what was answered is on disk, and a torn line is not."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from typing import Any

import pytest

from console.env import BASE_DIR
from examples.bank.ledger import Ledger
from tests.examples.banking import TOKEN, opened


def bank(*flags: str, token: str = TOKEN) -> Any:
    return subprocess.Popen(
        [sys.executable, "-m", "examples.bank", *flags],
        cwd=BASE_DIR,
        env={**os.environ, "BANK_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def pay(url: str, key: str) -> int:
    request = urllib.request.Request(
        url + "/refunds",
        data=b'{"order": "A-7", "amount": "1"}',
        headers={"Authorization": f"Bearer {TOKEN}", "Idempotency-Key": key},
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        return answer.status


@pytest.mark.parametrize("flag", ["--fsync", "--no-fsync"])
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_was_answered_is_known_after_a_restart(tmp_path, flag, ending):
    path = tmp_path / "new" / "ledger.jsonl"
    first = bank("--port", "0", "--ledger", str(path), flag)
    url = first.stdout.readline().split()[1]
    assert pay(url, "k1") == 201
    first.send_signal(ending)
    assert first.wait(60) == (-signal.SIGKILL if ending == signal.SIGKILL else 0)
    assert first.stderr.read() == ""
    second = bank("--port", "0", "--ledger", str(path), flag)
    url = second.stdout.readline().split()[1]
    assert pay(url, "k1") == 200
    assert pay(url, "k2") == 201
    second.terminate()
    assert second.wait(60) == 0
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["k1", "k2"]


def test_it_ends_at_once_although_clients_hang(tmp_path):
    process = bank("--port", "0", "--ledger", str(tmp_path / "ledger"))
    url = process.stdout.readline().split()[1]
    request = urllib.request.Request(
        url + "/refunds", data=b"{}", headers={"Authorization": f"Bearer {TOKEN}", "Bank-Behaviour": "hang"}
    )
    with pytest.raises(TimeoutError):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=0.2)
    process.terminate()
    assert process.wait(60) == 0


def test_a_taken_port_is_named(tmp_path):
    first = bank("--port", "0", "--ledger", str(tmp_path / "a"))
    port = first.stdout.readline().rpartition(":")[2].strip()
    second = bank("--port", port, "--ledger", str(tmp_path / "b"))
    assert second.wait(60) == 1
    assert port in second.stderr.read()
    first.terminate()
    first.wait(60)


def test_it_does_not_open_without_a_token(tmp_path, monkeypatch):
    monkeypatch.delenv("COUNTERFOIL_SECRET_BANK_TOKEN", raising=False)
    process = bank("--port", "0", "--ledger", str(tmp_path / "a"), token="")
    assert process.wait(60) == 1
    assert "BANK_TOKEN" in process.stderr.read()


def test_it_shares_no_code_with_the_product():
    code = (
        "import sys, examples.bank.__main__\n"
        "print([name for name in sys.modules if name.split('.')[0] in"
        " {'django', 'console', 'runs', 'approvals', 'compensation', 'aiohttp'}])"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


async def test_a_torn_last_line_was_never_done(tmp_path):
    path = tmp_path / "ledger"
    async with opened(path) as customer:
        await customer.refund("k1")
    path.write_bytes(path.read_bytes() + b'{"number":2,"id":"re_0000')
    async with opened(path) as customer:
        assert (await customer.ask("/effects/k1")).status == 200
        assert (await customer.refund("k2")).body["id"] == "re_000002"
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["k1", "k2"]


async def test_those_who_come_together_share_an_fsync(tmp_path, monkeypatch):
    synced: list[None] = []
    fdatasync = os.fdatasync
    monkeypatch.setattr(os, "fdatasync", lambda file: synced.append(fdatasync(file)))
    async with opened(tmp_path / "ledger", fsync=True) as customer:
        done = await asyncio.gather(*(customer.refund(f"k{number}") for number in range(60)))
    assert {heard.status for heard in done} == {201}
    assert 1 <= len(synced) < 60


async def test_an_answer_waits_for_the_disk(tmp_path, monkeypatch):
    on_disk = []
    monkeypatch.setattr(os, "fdatasync", lambda file: on_disk.append(os.fstat(file).st_size))
    ledger = Ledger(tmp_path / "ledger", fsync=True)
    ledger.append(b"one")
    waiting = ledger.durable()
    assert waiting is not None
    await waiting
    assert on_disk == [4]
    await ledger.close()


async def test_a_disk_that_is_full_commits_nothing(tmp_path, monkeypatch):
    path = tmp_path / "ledger"
    async with opened(path) as customer:
        await customer.refund("k1")
        size = path.stat().st_size
        write = os.write
        monkeypatch.setattr(
            os, "write", lambda file, data: write(file, data[:10]) if data[:1] == b"{" else write(file, data)
        )
        assert (await customer.refund("k2")).status == 500
        monkeypatch.undo()
        assert path.stat().st_size == size
        assert (await customer.ask("/effects/k2")).status == 404
        assert (await customer.refund("k2")).status == 201


async def test_what_was_done_about_an_order_is_read_back_with_its_keys(customer):
    assert (await customer.ask("/orders/A-7/refunds")).status == 404
    await customer.refund("k1")
    await customer.refund("k2")
    await customer.refund("k3", {"order": "B-1", "amount": "1.00"})
    found = (await customer.ask("/orders/A-7/refunds")).body
    assert [record["key"] for record in found["refunds"]] == ["k1", "k2"]
    assert (found["last"]["key"], found["last"]["amount"]) == ("k2", "12.50")


async def test_a_record_that_looks_the_same_is_somebody_elses(customer):
    await customer.refund("k1")
    await customer.script(switches={"lookalikes": True})
    found = (await customer.ask("/orders/A-7/refunds")).body
    ours, theirs = found["refunds"]
    assert found["last"] == theirs
    assert {name: theirs[name] for name in ("order", "amount", "currency")} == {
        name: ours[name] for name in ("order", "amount", "currency")
    }
    assert (ours["key"], theirs["key"]) == ("k1", "somebody-elses")
    assert len(await customer.entries()) == 1, "it is shown, and was never done"


async def test_a_stale_replica_reads_nothing_back_yet(customer):
    await customer.script(switches={"status": "stale", "stale_seconds": 3600})
    await customer.refund("k1")
    assert (await customer.ask("/orders/A-7/refunds")).status == 404
    await customer.script(switches={"status": "off"})
    assert (await customer.ask("/orders/A-7/refunds")).status == 501
    await customer.script(switches={"status": "on"})
    assert (await customer.ask("/orders/A-7/refunds")).body["last"]["key"] == "k1"
