"""Making a request for nobody, when arguments come in: what could not be sent is refused then, and not hours later."""

from dataclasses import dataclass

from console.documents import Fault
from console.exact.pointer import pointer
from console.exact.value import Object
from runs.contracts.request import BadRequest, Exchange, Surroundings, render, secrets_in
from runs.contracts.templates import templates_in


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A request that arguments can spoil, and made-up surroundings for it."""

    exchange: Exchange
    around: Surroundings

    def faults(self, arguments: Object) -> list[Fault]:
        """Give why the request could not be made from these arguments."""
        try:
            render(self.exchange, arguments, self.around)
        except BadRequest as why:
            return [Fault(pointer(why.path or ("arguments",)), "cannot_be_sent", f"This cannot be sent: {why.why}.")]
        return []


def rehearsals(exchanges: list[Exchange]) -> tuple[Rehearsal, ...]:
    """Give a rehearsal for each request that has arguments where not every value can stand."""
    found = (each for each in exchanges if _can_be_spoilt(each))
    return tuple(Rehearsal(each, _around(each)) for each in found)


def _can_be_spoilt(exchange: Exchange) -> bool:
    texts = [exchange.path, *(value for _, value in exchange.headers), *([exchange.query] if exchange.query else [])]
    texts += [each for _, each in templates_in(exchange.body) if each.alone is None]
    return any(path[0] == "arguments" for text in texts for path in text.paths)


def _around(exchange: Exchange) -> Surroundings:
    return Surroundings(
        base_url="http://rehearsal.invalid",
        effect_key="key",
        effect_id="id",
        fence=1,
        deadline="2000-01-01T00:00:00Z",
        secrets=dict.fromkeys(secrets_in(exchange), "secret"),
        operation_id="operation",
        fingerprint="0" * 64,
    )
