"""The addresses of /api/v1, in one list."""

from django.urls import path, re_path

from approvals.api.requests import Approvals, Decisions, OneApproval
from console.http.problem_pages import nothing_here, problem, problems
from console.http.streams import long_poll
from console.openapi import docs, openapi
from runs.api import unknowns
from runs.api.attempts import Attempts, HandBack, Heartbeat, Report
from runs.api.bulk import EffectsInBulk, RunsInBulk
from runs.api.callbacks import callback
from runs.api.effects import OneEffect, RunEffects, Withdraw
from runs.api.runs import Complete, Fail, History, OneRun, Runs

urlpatterns = [
    path("runs", Runs.as_view()),
    path("runs/bulk", RunsInBulk.as_view()),
    path("runs/<uuid:id>", long_poll(OneRun, "version")),
    path("runs/<uuid:id>/effects", RunEffects.as_view()),
    path("runs/<uuid:id>/effects/bulk", EffectsInBulk.as_view()),
    path("runs/<uuid:id>/history", History.as_view()),
    path("runs/<uuid:id>/complete", Complete.as_view()),
    path("runs/<uuid:id>/fail", Fail.as_view()),
    path("effects/<uuid:id>", long_poll(OneEffect, "state")),
    path("effects/<uuid:id>/withdraw", Withdraw.as_view()),
    path("effects/<uuid:id>/attempts", Attempts.as_view()),
    path("attempts/<uuid:id>/heartbeat", Heartbeat.as_view()),
    path("attempts/<uuid:id>/report", Report.as_view()),
    path("attempts/<uuid:id>/hand-back", HandBack.as_view()),
    path("unknown", unknowns.Unknowns.as_view()),
    path("effects/<uuid:id>/exits", unknowns.Exits.as_view()),
    path("effects/<uuid:id>/claim", unknowns.Claim.as_view()),
    path("effects/<uuid:id>/release", unknowns.Release.as_view()),
    path("effects/<uuid:id>/hand-over", unknowns.HandOver.as_view()),
    path("effects/<uuid:id>/ask", unknowns.Ask.as_view()),
    path("effects/<uuid:id>/resolutions", unknowns.Resolutions.as_view()),
    path("resolutions/<uuid:id>/confirm", unknowns.Confirm.as_view()),
    path("resolutions/<uuid:id>/decline", unknowns.Decline.as_view()),
    path("resolutions/<uuid:id>/withdraw", unknowns.TakeBack.as_view()),
    path("evidence/<uuid:id>", unknowns.Evidence.as_view()),
    path("callbacks/<str:tenant>/<str:operation>", callback),
    path("approvals", Approvals.as_view()),
    path("approvals/<uuid:id>", long_poll(OneApproval, "state")),
    path("approvals/<uuid:id>/decisions", Decisions.as_view()),
    path("problems", problems, name="problems"),
    path("problems/<slug:code>", problem, name="problem"),
    path("openapi.json", openapi, name="openapi"),
    path("docs", docs, name="docs"),
    re_path("", nothing_here),
]
