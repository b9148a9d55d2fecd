"""The addresses of /api/v1, in one list."""

from django.urls import path, re_path

from approvals.api.delegations import Delegations, RevokeDelegation, Takers
from approvals.api.grants import ConfirmGrant, DeclineGrant, Grants, OneGrant, ProposeGrant, RevokeGrant
from approvals.api.requests import OneApproval
from compensation.api import asking as compensation_asking
from compensation.api import deeds as compensation_deeds
from compensation.api import desk as compensations
from compensation.api import endings as compensation_endings
from compensation.api import numbers as compensation_numbers
from compensation.api import plans as compensation_plans
from console.http.problem_pages import nothing_here, problem, problems
from console.http.streams import long_poll
from console.identity.api import StepUps
from console.openapi import docs, openapi
from runs.api import cancelling, deciding, signals, unknowns, unmatched
from runs.api.alone import ApprovalsAndAsking, ConsumeApproval, ReportOutcome, WithdrawApproval
from runs.api.attempts import Attempts, HandBack, Heartbeat, Report
from runs.api.bulk import EffectsInBulk, RunsInBulk
from runs.api.callbacks import callback
from runs.api.checkpoints import Checkpoints, OneCheckpoint, OnePlace, Places, WriteCheckpoint
from runs.api.corrections import Acknowledge, Corrections
from runs.api.effects import OneEffect, RunEffects, Withdraw
from runs.api.limits import Extend, Limits, Use
from runs.api.ownership import Acquire, Children, Refusals, Release, Renew
from runs.api.pauses import Lift, OnePause, Pauses, RunPauses
from runs.api.policies import OnePolicy, Policies, WouldBe
from runs.api.resuming import Preview, Resume
from runs.api.runs import Complete, Fail, History, OneRun, Runs
from runs.api.waits import RunWaits, WithdrawWait

urlpatterns = [
    path("delegations", Delegations.as_view()),
    path("delegations/takers", Takers.as_view()),
    path("delegations/<uuid:id>/revoke", RevokeDelegation.as_view()),
    path("grants", Grants.as_view()),
    path("grants/propose", ProposeGrant.as_view()),
    path("grants/<uuid:id>", OneGrant.as_view()),
    path("grants/<uuid:id>/confirm", ConfirmGrant.as_view()),
    path("grants/<uuid:id>/decline", DeclineGrant.as_view()),
    path("grants/<uuid:id>/revoke", RevokeGrant.as_view()),
    path("runs", Runs.as_view()),
    path("runs/bulk", RunsInBulk.as_view()),
    path("runs/<uuid:id>", long_poll(OneRun, "version")),
    path("runs/<uuid:id>/effects", RunEffects.as_view()),
    path("runs/<uuid:id>/effects/bulk", EffectsInBulk.as_view()),
    path("runs/<uuid:id>/history", History.as_view()),
    path("runs/<uuid:id>/checkpoint", WriteCheckpoint.as_view()),
    path("runs/<uuid:id>/checkpoints", Checkpoints.as_view()),
    path("runs/<uuid:id>/checkpoints/<int:number>", OneCheckpoint.as_view()),
    path("runs/<uuid:id>/places", Places.as_view()),
    path("runs/<uuid:id>/places/<int:seq>", OnePlace.as_view()),
    path("runs/<uuid:id>/complete", Complete.as_view()),
    path("runs/<uuid:id>/fail", Fail.as_view()),
    path("runs/<uuid:id>/cancel", cancelling.CancelRun.as_view()),
    path("runs/<uuid:id>/stopped", cancelling.Stopped.as_view()),
    path("runs/<uuid:id>/cancellations", cancelling.Cancellations.as_view()),
    path("cancellations", cancelling.OpenCancellations.as_view()),
    path("runs/<uuid:id>/reopen", cancelling.Reopen.as_view()),
    path("runs/<uuid:id>/see-to", cancelling.SeeTo.as_view()),
    path("effects/<uuid:id>/cancel", cancelling.CancelEffect.as_view()),
    path("runs/<uuid:id>/acquire", Acquire.as_view()),
    path("runs/<uuid:id>/renew", Renew.as_view()),
    path("runs/<uuid:id>/release", Release.as_view()),
    path("runs/<uuid:id>/refusals", Refusals.as_view()),
    path("runs/<uuid:id>/children", Children.as_view()),
    path("runs/<uuid:id>/waits", RunWaits.as_view()),
    path("runs/<uuid:id>/pauses", RunPauses.as_view()),
    path("pauses", Pauses.as_view()),
    path("pauses/<uuid:id>", OnePause.as_view()),
    path("pauses/<uuid:id>/lift", Lift.as_view()),
    path("waits/<uuid:id>/withdraw", WithdrawWait.as_view()),
    path("runs/<uuid:id>/corrections", Corrections.as_view()),
    path("runs/<uuid:id>/corrections/acknowledge", Acknowledge.as_view()),
    path("runs/<uuid:id>/limits", Limits.as_view()),
    path("runs/<uuid:id>/usage", Use.as_view()),
    path("runs/<uuid:id>/extend", Extend.as_view()),
    path("runs/<uuid:id>/resume", Resume.as_view()),
    path("runs/<uuid:id>/resume/preview", Preview.as_view()),
    path("compensations", compensations.Desk.as_view()),
    path("compensations/numbers", compensation_numbers.Numbers.as_view()),
    path("compensations/<uuid:id>", long_poll(compensations.OneItem, "state")),
    path("compensations/<uuid:id>/run", compensation_deeds.Run.as_view()),
    path("compensations/<uuid:id>/retry", compensation_deeds.Retry.as_view()),
    path("compensations/<uuid:id>/accept-difference", compensation_deeds.AcceptDifference.as_view()),
    path("compensations/<uuid:id>/claim", compensation_deeds.Claim.as_view()),
    path("compensations/<uuid:id>/assign", compensation_deeds.Assign.as_view()),
    path("compensations/<uuid:id>/release", compensation_deeds.Release.as_view()),
    path("compensations/<uuid:id>/escalate", compensation_deeds.Escalate.as_view()),
    path("compensations/<uuid:id>/tick", compensation_deeds.TickOff.as_view()),
    path("compensations/<uuid:id>/files", compensation_deeds.AddFile.as_view()),
    path("compensations/<uuid:id>/resolve", compensation_endings.Resolve.as_view()),
    path("compensations/<uuid:id>/waive", compensation_endings.Waive.as_view()),
    path("compensations/<uuid:id>/endings/<uuid:ending>/confirm", compensation_endings.Confirm.as_view()),
    path("compensations/<uuid:id>/endings/<uuid:ending>/decline", compensation_endings.Decline.as_view()),
    path("compensations/<uuid:id>/endings/<uuid:ending>/withdraw", compensation_endings.TakeBack.as_view()),
    path("runs/<uuid:id>/work-items", compensation_deeds.AddItem.as_view()),
    path("compensation-files/<uuid:id>", compensations.EvidenceFile.as_view()),
    path("compensation-plans/<uuid:id>", compensation_plans.OnePlan.as_view()),
    path("compensation-plans/<uuid:id>/approve", compensation_endings.ApprovePlan.as_view()),
    path("compensation-plans/<uuid:id>/decline", compensation_endings.DeclinePlan.as_view()),
    path("runs/<uuid:id>/compensation", compensation_asking.Compensations.as_view()),
    path("runs/<uuid:id>/compensation/preview", compensation_asking.Preview.as_view()),
    path("effects/<uuid:id>/compensate", compensation_asking.CompensateEffect.as_view()),
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
    path("signals", signals.Signals.as_view()),
    path("signals/<uuid:id>", signals.OneSignal.as_view()),
    path("signals/<str:tenant>/<str:run_type>/<str:name>", signals.message),
    path("runs/<uuid:id>/signals", signals.RunSignals.as_view()),
    path("callbacks", unmatched.Unmatched.as_view()),
    path("callbacks/<uuid:id>", unmatched.OneUnmatched.as_view()),
    path("callbacks/<str:tenant>/<str:operation>", callback),
    path("policies", Policies.as_view()),
    path("policies/-/judge", WouldBe.as_view()),
    path("policies/<slug:name>", OnePolicy.as_view()),
    path("approvals", ApprovalsAndAsking.as_view()),
    path("approvals/<uuid:id>", long_poll(OneApproval, "state")),
    path("approvals/decisions", deciding.DecisionsInBulk.as_view()),
    path("approvals/<uuid:id>/decisions", deciding.Decisions.as_view()),
    path("approvals/<uuid:id>/decisions/withdraw", deciding.TakeVoteBack.as_view()),
    path("approvals/<uuid:id>/extend", deciding.ExtendApproval.as_view()),
    path("approvals/<uuid:id>/escalate", deciding.EscalateApproval.as_view()),
    path("approvals/<uuid:id>/revoke", deciding.RevokeApproval.as_view()),
    path("approvals/<uuid:id>/withdraw", WithdrawApproval.as_view()),
    path("approvals/<uuid:id>/consume", ConsumeApproval.as_view()),
    path("approvals/<uuid:id>/outcome", ReportOutcome.as_view()),
    path("step-up", StepUps.as_view()),
    path("problems", problems, name="problems"),
    path("problems/<slug:code>", problem, name="problem"),
    path("openapi.json", openapi, name="openapi"),
    path("docs", docs, name="docs"),
    re_path("", nothing_here),
]
