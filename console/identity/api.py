"""Proving by REST who one is, for members' tools."""

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from console.http import content
from console.http.content import Content
from console.http.describing import described
from console.http.fields import Text
from console.identity import proofs
from console.identity.door import ApprovalsDoor, actor

LONGEST = 1000


class NewProof(Content):
    """The password of the key's member, or, of one with a second factor, a code of the app or a recovery code."""

    password = Text(required=False, default="", allow_blank=True, max_length=LONGEST)
    code = Text(required=False, default="", allow_blank=True, max_length=64)


class Proof(serializers.Serializer):
    """A proof, given once; it goes into Step-Up-Proof."""

    proof = serializers.CharField()
    expires_at = serializers.DateTimeField(help_text="Five minutes later.")


class StepUps(ApprovalsDoor):
    """Proofs of who a member is."""

    http_method_names = ["post"]

    @described(
        "step_up", "Prove who you are, for what a policy asks a fresh proof of", takes=NewProof, gives={200: Proof},
        examples=[
            OpenApiExample("by code", value={"code": "492039"}, request_only=True),
            OpenApiExample(
                "a proof", value={"proof": "cfp_Zm9yIHRoZSBleGFtcGxl", "expires_at": "2026-11-29T10:05:00.000000Z"}, response_only=True
            ),
        ],
        problems=["proof_refused", "too_many_tries"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, sent = actor(request), content.read(NewProof, request)
        return Response(proofs.prove(by, request._request, password=sent["password"], code=sent["code"]))
