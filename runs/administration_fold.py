"""What the facts of a tenant's administration amount to: people, agents, keys, endpoints, channels, policies and contracts."""

from dataclasses import replace

from approvals.models import Delegation, Policy
from console.identity.models import Agent, ApiKey, Member, Tenant
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Table
from console.notices.models import Channel, Endpoint
from runs.models import Dependency, OperationContract, Pause, RunTypeContract
from runs.pausing import fold as pausing


def _opened(folded: Folded, tenant: str, fact: Fact) -> None:
    folded.set(fact, "tenant", tenant, **fact.says)


def _told(table: str) -> Reducer:
    """Take a fact that tells all recorded columns of a row."""

    def reduce(folded: Folded, tenant: str, fact: Fact) -> None:
        columns = {name: value for name, value in fact.says.items() if name != "id"}
        folded.set(fact, table, fact.says["id"], **columns)

    return reduce


def _issued(folded: Folded, tenant: str, fact: Fact) -> None:
    """Take the fact of a new key; until 0.1.0 all were agents', and had no name."""
    _told("key")(folded, tenant, replace(fact, says={"member_id": None, "name": "", **fact.says}))


def _switched(folded: Folded, tenant: str, fact: Fact) -> None:
    folded.set(fact, "agent", fact.says["id"], active=fact.says["active"])


def _published(table: str, ends: str) -> Reducer:
    """Take the fact of a new version; `ends` is the column of the version before that is set by it."""

    def reduce(folded: Folded, tenant: str, fact: Fact) -> None:
        _told(table)(folded, tenant, fact)
        for (name, key), columns in list(folded.rows.items()):
            earlier = name == table and key != fact.says["id"] and columns.get("name") == fact.says["name"]
            if earlier and columns.get(ends) is None:
                folded.set(fact, table, key, **{ends: fact.at})

    return reduce


def _tells_of_no_row(folded: Folded, tenant: str, fact: Fact) -> None:
    """Take a fact that changes no recorded column."""


REDUCERS: dict[str, Reducer] = {
    "tenant.opened": _opened,
    "member.added": _told("member"),
    "member.changed": _told("member"),
    "member.factor_changed": _tells_of_no_row,
    "agent.added": _told("agent"),
    "agent.stopped": _switched,
    "agent.started": _switched,
    "key.issued": _issued,
    "refusals.forgotten": _tells_of_no_row,
    "key.revoked": _told("key"),
    "endpoint.added": _told("endpoint"),
    "endpoint.changed": _told("endpoint"),
    "endpoint.secret_renewed": _tells_of_no_row,
    "channel.added": _told("channel"),
    "channel.changed": _told("channel"),
    "delegation.given": _told("delegation"),
    "delegation.revoked": _told("delegation"),
    "policy.published": _published("policy", "superseded_at"),
    "operation.applied": _published("operation", "retired_at"),
    "run_type.applied": _published("run_type", "retired_at"),
    "dependency.applied": _published("dependency", "retired_at"),
    **pausing.ADMINISTRATION,
}
WIDE = tuple(column for column in Pause.recorded if column != "run_id")
BOOK = Book(
    "tenant", Tenant, REDUCERS,
    [
        Table("tenant", Tenant, "id", Tenant.recorded),
        Table("member", Member, "tenant_id", Member.recorded),
        Table("agent", Agent, "tenant_id", Agent.recorded),
        Table("key", ApiKey, "tenant_id", ApiKey.recorded),
        Table("endpoint", Endpoint, "tenant_id", Endpoint.recorded),
        Table("channel", Channel, "tenant_id", Channel.recorded),
        Table("delegation", Delegation, "tenant_id", Delegation.recorded),
        Table("policy", Policy, "tenant_id", Policy.recorded),
        Table("operation", OperationContract, "tenant_id", OperationContract.recorded),
        Table("run_type", RunTypeContract, "tenant_id", RunTypeContract.recorded),
        Table("dependency", Dependency, "tenant_id", Dependency.recorded),
        # Those of single runs stand in their runs' streams.
        Table("tenant_pause", Pause, "tenant_id", WIDE, only={"run": None}),
    ],
)  # fmt: skip
