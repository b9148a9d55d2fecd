"""Policies by REST: what is in force, and what would be said of an intent now. Nothing here writes."""

from rest_framework.request import Request
from rest_framework.response import Response

from approvals.models import Policy
from approvals.policies import Ruling, document_of, rulings
from approvals.policy_asks import Ask
from console.clock import instant
from console.database import transaction
from console.exact import Object
from console.exact.conditions import ALWAYS, sentence
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, LIMIT, described
from console.http.listing import page
from console.http.refusals import NotFound
from console.identity.door import Door, actor
from console.identity.models import Agent
from console.identity.scopes import FOR_AGENTS_AND_READERS
from runs import catalogue
from runs.api import policy_documents as documents
from runs.pausing import standing
from runs.policies import queries
from runs.policies.queries import Standing
from runs.policies.telling import asks
from runs.proposals import NotForThisRunType, facts_for_policy


class Policies(Door):
    """The policies in force."""

    opens = FOR_AGENTS_AND_READERS
    http_method_names = ["get", "head"]

    @described(
        "list_policies", "List the policies in force", gives={200: documents.PolicyPage}, parameters=[LIMIT, CURSOR]
    )
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor = asked.limit(), asked.text("cursor")
        binding = ("policies", by.tenant_id)
        after = "" if cursor is None else cursors.unseal(cursor, binding).decode()
        with transaction(by.tenant_id):
            found = queries.in_force(by.tenant, after, limit + 1)
            stands = queries.standings(found)
            shown = page(found, limit, lambda row: _brief(row, stands[row.pk]), lambda row: row.name.encode(), binding)
        return Response(shown)


class OnePolicy(Door):
    """A policy."""

    opens = FOR_AGENTS_AND_READERS
    http_method_names = ["get", "head"]

    @described(
        "get_policy", "Look at a policy, and at how far judging again has come", gives={200: documents.PolicyDocumentShown}
    )  # fmt: skip
    def get(self, request: Request, name: str) -> Response:
        by = actor(request)
        with transaction(by.tenant_id):
            found = queries.one(by.tenant, name)
            if found is None:
                raise NotFound
            return Response(_whole(found))


class WouldBe(Door):
    """What would be said of an intent."""

    http_method_names = ["post"]

    @described(
        "judge_intent", "Ask what the policy would say of an intent now; nothing is recorded and nobody is asked", takes=documents.Intent,
        gives={200: documents.Would},
        problems=["unknown_operation", "unknown_run_type", "bad_arguments", "operation_not_in_run_type"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, sent = actor(request), content.read(documents.Intent, request)
        with transaction(by.tenant_id):
            agent = Agent.objects.select_related("owner__user").get(pk=by.principal)
            operation = catalogue.named(catalogue.operations(by.tenant, [sent["operation"]]), sent["operation"])
            run_type = catalogue.run_type_named(catalogue.run_types(by.tenant, [sent["run_type"]]), sent["run_type"])
            if not run_type.document.may_use(operation.document.name):
                raise NotForThisRunType(path="/operation", operation=operation.document.name)
            arguments = operation.effective(sent["arguments"])
            facts = facts_for_policy(operation, operation.target(arguments, sent["target"]), arguments, run_type, agent)
            (ruling,) = standing.unasked(by.tenant, rulings(by.tenant, [facts], hold=False))
            policy = Policy.objects.filter(pk=ruling.policy_id).first() if ruling.policy_id else None
        return Response(_would(ruling, policy))


def _brief(policy: Policy, stands: Standing) -> Object:
    return {
        "name": policy.name, "version": policy.version, "digest": bytes(policy.digest).hex(),
        "description": document_of(policy).description, "operations": list(policy.operations),
        "published_at": instant(policy.published_at), "in_force": policy.superseded_at is None, "pending": stands.here,
        "to_judge_again": stands.older, "stood_before": stands.before,
    }  # fmt: skip


def _whole(policy: Policy) -> Object:
    document = document_of(policy)
    rules = [
        {
            "name": rule.name, "when": "always" if rule.when == ALWAYS else sentence(rule.when), "then": rule.then, **_asked(rule.ask),
            "reason": rule.reason,
        }
        for rule in document.rules
    ]  # fmt: skip
    return {
        **_brief(policy, queries.standing(policy)),
        "rules": rules,
        "otherwise": document.otherwise,
        "time_zone": document.time_zone,
    }


def _asked(ask: Ask | None) -> Object:
    return {
        "asks": asks(ask) if ask else None,
        "groups": list(ask.groups) if ask else [],
        "quorum": ask.quorum if ask else None,
    }


def _would(ruling: Ruling, policy: Policy | None) -> Object:
    ask = ruling.ask if ruling.verdict == "ask" else None
    return {
        "verdict": ruling.verdict, "policy": policy.name if policy else None, "policy_version": policy.version if policy else None,
        "rule": ruling.rule, "reason": ruling.reason, **_asked(ask), "decide_within_seconds": ask.decide_within_seconds if ask else None,
        "use_within_seconds": ask.use_within_seconds if ask else None,
    }  # fmt: skip
