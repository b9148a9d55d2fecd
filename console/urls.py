"""Every address of the product."""

from django.urls import URLPattern, URLResolver, include, path

from console import metrics
from console.pages import account, approvals, contracts, home, runs, unknown

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("approvals", approvals.approvals, name="approvals"),
    path("approvals/<uuid:subject>", approvals.approval, name="approval"),
    path("approvals/<uuid:subject>/decide", approvals.decide_approval, name="decide_approval"),
    path("unknown", unknown.unknown, name="unknown"),
    path("runs", runs.runs, name="runs"),
    path("runs/<uuid:subject>", runs.run, name="run"),
    path("contracts", contracts.contracts, name="contracts"),
    path("contracts/<slug:kind>/<slug:name>", contracts.contract, name="contract"),
    path("accounts/", include(account.urls)),
    path("api/v1/", include("console.api")),
    path("metrics", metrics.metrics),
]

handler400 = "console.pages.errors.bad_request"
handler403 = "console.pages.errors.forbidden"
handler404 = "console.pages.errors.not_found"
handler500 = "console.pages.errors.fault"
