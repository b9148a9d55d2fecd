"""What people and programs are told: a notice is made once; each member has a copy of it, and each way out is a delivery of its own."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.identity.models import Member
from console.notices.states import CHANNELS, DEAD, WAITING


class Notice(models.Model):
    """A piece of news, in the transaction that made it so. No part of the record, which tells the same by its entries."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    key = models.CharField(max_length=200)
    kind = models.CharField(max_length=40)
    about = models.UUIDField(null=True)
    title = models.TextField()
    text = models.TextField()
    path = models.CharField(max_length=300)
    audience = models.TextField()  # whom it went to, in words
    posted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="notices_made_once", fields=["tenant_id", "key"])]
        indexes = [
            models.Index(name="notices_about", fields=["tenant_id", "about"], condition=Q(about__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.title


class Copy(models.Model):
    """A member's copy of a notice, and when they said that they had read it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    notice = models.ForeignKey(Notice, on_delete=models.PROTECT, related_name="+")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    posted_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="notices_one_copy_a_member", fields=["notice", "member"])]
        indexes = [
            models.Index(name="notices_copy_newest", fields=["member", "-posted_at", "-id"]),
            models.Index(name="notices_copy_unread", fields=["member"], condition=Q(read_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} for {self.member_id}"


class Endpoint(models.Model):
    """Where a tenant's notices are sent as signed webhooks. The secret is kept sealed, for it has to sign."""

    recorded: ClassVar[tuple[str, ...]] = ("url", "kinds", "active", "created_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    url = models.CharField(max_length=1000)
    kinds = ArrayField(models.CharField(max_length=40), default=list, db_default=[])  # empty: all
    active = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField()
    sealed_secret = models.TextField()

    class Meta:
        indexes = [models.Index(name="notices_endpoint_of_tenant", fields=["tenant_id", "created_at", "id"])]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One notice on its way to one address: due at a time, taken for a while by whoever sends it, tried again, and at last dead."""

    id = models.UUIDField(
        primary_key=True, default=uuid7, editable=False
    )  # the receiver's message id, at every attempt
    tenant_id = models.UUIDField()
    notice = models.ForeignKey(Notice, on_delete=models.PROTECT, related_name="+")
    channel = models.CharField(max_length=10)
    member = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    endpoint = models.ForeignKey(Endpoint, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    state = models.CharField(max_length=10)
    due_at = models.DateTimeField(null=True)  # while it is being sent: when whoever sends it is given up
    sender = models.CharField(max_length=120, db_default="", default="")  # who is sending it now
    attempts = models.PositiveSmallIntegerField(db_default=0, default=0)  # since it was last sent off
    sent_times = models.PositiveIntegerField(db_default=0, default=0)  # in all
    last_at = models.DateTimeField(null=True)
    last_outcome = models.CharField(max_length=20, db_default="", default="")
    last_status = models.PositiveSmallIntegerField(null=True)
    last_answer = models.TextField(db_default="", default="")
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="notices_one_delivery_a_member", fields=["notice", "member"]),
            models.UniqueConstraint(name="notices_one_delivery_an_endpoint", fields=["notice", "endpoint"]),
            models.CheckConstraint(name="notices_channel_known", condition=Q(channel__in=CHANNELS)),
            models.CheckConstraint(
                name="notices_one_receiver",
                condition=Q(member__isnull=False, endpoint=None) | Q(member=None, endpoint__isnull=False),
            ),
            models.CheckConstraint(
                name="notices_due_while_waiting",
                condition=Q(state=WAITING, due_at__isnull=False, ended_at=None)
                | (~Q(state=WAITING) & Q(due_at=None, sender="", ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(name="notices_delivery_due", fields=["due_at"], condition=Q(state=WAITING)),
            models.Index(name="notices_delivery_undone", fields=["created_at"], condition=Q(state=WAITING)),
            models.Index(name="notices_delivery_dead", fields=["tenant_id", "-ended_at", "-id"], condition=Q(state=DEAD)),
            models.Index(name="notices_delivery_of_endpoint", fields=["endpoint", "-created_at", "-id"]),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}: {self.state}"


class MailSwitch(models.Model):
    """A member who wants no e-mail. Who has no row here gets it."""

    member = models.OneToOneField(Member, primary_key=True, on_delete=models.PROTECT, related_name="+")
    tenant_id = models.UUIDField()
    off_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.member_id} {'off' if self.off_at else 'on'}"
