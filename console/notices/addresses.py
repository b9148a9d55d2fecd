"""Where a webhook may go: judged when it is sent, by the very addresses that are then connected to (SEC-07). Pure but for the look-up.

Only addresses of the public internet, unless WEBHOOKS_MAY_REACH names the host or its network."""

import asyncio
import ipaddress
import re
import socket
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from django.conf import settings

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
# Public by their numbers, and answer a cloud's own machines alone.
NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")
METADATA: Final = (ipaddress.ip_network("168.63.129.16/32"), ipaddress.ip_network("192.0.0.0/24"))
# Set apart by their standards, whatever a version of Python calls them: site-local, local NAT64, IPv4 written inside, anycast relays,
# documentation, segment routing.
NOT_PUBLIC: Final = tuple(
    ipaddress.ip_network(text)
    for text in (
        "fec0::/10",
        "64:ff9b:1::/48",
        "::/96",
        "::ffff:0:0:0/96",
        "192.88.99.0/24",
        "3fff::/20",
        "5f00::/16",
        "100::/64",
    )
)
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class Blocked(OSError):
    """This address is not one that webhooks may go to."""


def check_shape(url: str) -> str:
    """Give the host of an http or https address that holds no user and no password. Raises Blocked."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Blocked("It cannot be read as an address.") from None
    if parts.scheme not in {"http", "https"} or not host or port == 0:
        raise Blocked("It is no http or https address with a host.")
    if "@" in parts.netloc:
        raise Blocked("It holds a user or a password.")
    if number(host) is None and not NAME.fullmatch(host):  # which another reader might take for something else
        raise Blocked("Its host is no name.")
    return host


def number(host: str) -> Address | None:
    """Give the address that a host is, or None where it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def check_url(url: str) -> None:
    """Check what can be told from the address itself; a name is judged by what it leads to. Raises Blocked."""
    host = check_shape(url)
    if (address := number(host)) is not None:
        check_address(host, address)
    elif host.rstrip(".").rpartition(".")[2][:1].isdigit():
        raise Blocked("Its host is a number that is written otherwise than numbers are.")


def check_address(host: str, address: Address) -> None:
    """Check one address that a host has. Raises Blocked."""
    names, networks = settings.WEBHOOKS_MAY_REACH
    if host.lower() in names or any(address in network for network in networks):
        return
    inner = _inside(address)
    if any(inner in network for network in (*METADATA, *NOT_PUBLIC)) or inner.is_multicast or not inner.is_global:
        raise Blocked(f"{host} leads to an address that is not of the public internet.")


def _inside(address: Address) -> Address:
    """Give the address that is really reached where one is written inside another."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


class Judging(AbstractResolver):
    """Looks a host up once and gives addresses of which each was judged; the connection goes to these, whatever a second look would say."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Look up and judge; one address that is not allowed blocks them all. Raises Blocked."""
        found: Any = await asyncio.get_running_loop().getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        given: list[ResolveResult] = []
        for kind, _, proto, _, where in found:
            number = str(where[0])
            check_address(host, ipaddress.ip_address(number.partition("%")[0]))
            given.append(
                {"hostname": host, "host": number, "port": port, "family": kind, "proto": proto,
                 "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV}
            )  # fmt: skip
        return given

    async def close(self) -> None:
        """Nothing is held."""
