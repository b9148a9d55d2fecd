"""Where webhooks may go: judged by number, whatever it is written like (SEC-07)."""

import ipaddress
from typing import Any

import pytest

from console import env
from console.notices.addresses import Blocked, check_address, check_url


@pytest.fixture(autouse=True)
def _nothing_is_allowed(settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = (frozenset(), ())


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200",
        "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "168.63.129.16",
        "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::", "2001:0:7f00:1::", "2001:db8::1", "::ffff:168.63.129.16",
    ],
)  # fmt: skip
def test_what_is_not_of_the_public_internet_is_blocked(number: str) -> None:
    with pytest.raises(Blocked):
        check_address("hooks.example", ipaddress.ip_address(number))


@pytest.mark.parametrize("number", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_what_is_of_it_is_not(number: str) -> None:
    check_address("hooks.example", ipaddress.ip_address(number))


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/", "http://[::1]/", "http://127.0.0.1:8000/", "http://2130706433/", "http://0x7f.1/", "http://127.1/", "http://127.0.0.1./",
        "https://user:pw@hooks.example/", "https://@hooks.example/",
        "file:///etc/passwd", "http://", "http://%31%32%37.0.0.1/", "http://127.0.0.1%2f/", "http://[fe80::1%25eth0]/", "http://ho st/",
    ],
)  # fmt: skip
def test_what_the_address_itself_tells_is_enough(url: str) -> None:
    with pytest.raises(Blocked):
        check_url(url)


def test_hosts_and_networks_that_are_named_are_allowed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOKS_MAY_REACH", "Hooks.Internal, 10.1.0.0/16, ::1")
    settings.WEBHOOKS_MAY_REACH = env.reach("WEBHOOKS_MAY_REACH")
    check_address("hooks.internal", ipaddress.ip_address("192.168.0.7"))
    check_address("anything", ipaddress.ip_address("10.1.2.3"))
    check_url("http://[::1]:99/")
    with pytest.raises(Blocked):
        check_address("other.internal", ipaddress.ip_address("10.2.0.1"))
    with pytest.raises(Blocked):
        check_url("http://user:pw@10.1.2.3/")


@pytest.mark.parametrize("wrong", ["https://hooks.internal", "10.1.0.1/16", "10.0.0", "a b"])
def test_a_setting_that_is_no_host_and_no_network_is_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOKS_MAY_REACH", wrong)
    with pytest.raises(env.BadSetting, match="WEBHOOKS_MAY_REACH"):
        env.reach("WEBHOOKS_MAY_REACH")
