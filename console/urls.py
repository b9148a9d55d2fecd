"""Every address of the product."""

from django.urls import URLPattern, URLResolver, include, path

from console import metrics
from console.pages import (
    account,
    admin,
    agents,
    approvals,
    contracts,
    effect,
    evidence,
    failures,
    home,
    own_keys,
    people,
    resolve,
    runs,
    tasks,
    tour,
    unknown,
)  # fmt: skip

EFFECT = "runs/<uuid:subject>/effects/<int:number>"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("approvals", approvals.approvals, name="approvals"),
    path("approvals/<uuid:subject>", approvals.approval, name="approval"),
    path("approvals/<uuid:subject>/decide", approvals.decide_approval, name="decide_approval"),
    path("tasks", tasks.tasks, name="tasks"),
    path("tasks/<uuid:subject>", tasks.task, name="task"),
    path("tasks/<uuid:subject>/begin", tasks.begin_task, name="begin_task"),
    path("tasks/<uuid:subject>/renew", tasks.renew_task, name="renew_task"),
    path("tasks/<uuid:subject>/hand-back", tasks.hand_back_task, name="hand_back_task"),
    path("tasks/<uuid:subject>/report", tasks.report_task, name="report_task"),
    path("unknown", unknown.unknown, name="unknown"),
    path(f"{EFFECT}/resolve", resolve.resolve, name="resolve"),
    path(f"{EFFECT}/find", resolve.record_finding, name="record_finding"),
    path(f"{EFFECT}/confirm", resolve.confirm_finding, name="confirm_finding"),
    path(f"{EFFECT}/decline", resolve.decline_finding, name="decline_finding"),
    path(f"{EFFECT}/withdraw", resolve.withdraw_finding, name="withdraw_finding"),
    path(f"{EFFECT}/claim", resolve.claim_unknown, name="claim_unknown"),
    path(f"{EFFECT}/release", resolve.release_unknown, name="release_unknown"),
    path(f"{EFFECT}/hand-over", resolve.hand_over_unknown, name="hand_over_unknown"),
    path(f"{EFFECT}/ask", resolve.ask_unknown, name="ask_unknown"),
    path("evidence/<uuid:subject>", evidence.evidence, name="evidence"),
    path("runs", runs.runs, name="runs"),
    path("runs/<uuid:subject>", runs.run, name="run"),
    path("contracts", contracts.contracts, name="contracts"),
    path("contracts/<slug:kind>/<slug:name>", contracts.contract, name="contract"),
    path("failures", failures.failures, name="failures"),
    path("people", people.people, name="people"),
    path("people/add", people.admit_person, name="admit_person"),
    path("people/<uuid:subject>", people.person, name="person"),
    path("people/<uuid:subject>/change", people.change_person, name="change_person"),
    path("people/<uuid:subject>/stop", people.stop_person, name="stop_person"),
    path("people/<uuid:subject>/start", people.start_person, name="start_person"),
    path("people/<uuid:subject>/revoke", people.revoke_persons_key, name="revoke_persons_key"),
    path("keys", own_keys.own_keys, name="own_keys"),
    path("keys/make", own_keys.issue_own_key, name="issue_own_key"),
    path("keys/revoke", own_keys.revoke_own_key, name="revoke_own_key"),
    path("agents", agents.agents, name="agents"),
    path("agents/add", agents.add_agent, name="add_agent"),
    path("agents/<uuid:subject>", agents.agent, name="agent"),
    path("agents/<uuid:subject>/stop", agents.stop_agent, name="stop_agent"),
    path("agents/<uuid:subject>/start", agents.start_agent, name="start_agent"),
    path("agents/<uuid:subject>/keys", agents.issue_key, name="issue_key"),
    path("agents/<uuid:subject>/revoke", agents.revoke_key, name="revoke_key"),
    path(EFFECT, effect.effect, name="effect"),
    path("effects/<uuid:subject>", effect.effect_by_id, name="effect_by_id"),
    path("admin/", admin.desk.urls),
    path("tour", tour.go_on, name="tour"),
    path("accounts/", include(account.urls)),
    path("api/v1/", include("console.api")),
    path("metrics", metrics.metrics),
]

handler400 = "console.pages.errors.bad_request"
handler403 = "console.pages.errors.forbidden"
handler404 = "console.pages.errors.not_found"
handler500 = "console.pages.errors.fault"
