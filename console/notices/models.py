"""What people and programs are told: a notice is made once; each member has a copy of it, and each way out is a delivery of its own."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from console.identity.models import Member
from console.notices.states import CHANNELS, DEAD, HELD, STANDING, WAITING


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
    tier = models.CharField(max_length=10, default="", db_default="")  # of what it is about; "": it has none
    state = models.CharField(max_length=20, default="", db_default="")  # what it is about, as programs read it
    topic = models.TextField(default="", db_default="")  # what that is part of: digests are ordered by it
    deadline_at = models.DateTimeField(null=True)  # until when something can be done about it

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
    because = models.TextField(default="", db_default="")  # why this member was told, as a sentence

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


class Channel(models.Model):
    """Where notices are sent by apprise: a chat, a telephone, another mailbox; the tenant's, or one member's own.

    Its address is a secret as a whole, and kept sealed: what is shown is its scheme and how it was called."""

    recorded: ClassVar[tuple[str, ...]] = ("member_id", "label", "scheme", "kinds", "tiers", "active", "created_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField()
    member = models.ForeignKey(Member, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    label = models.CharField(max_length=80)
    scheme = models.CharField(max_length=30)
    sealed_url = models.TextField()
    kinds = ArrayField(models.CharField(max_length=40), default=list, db_default=[])  # empty: all
    tiers = ArrayField(models.CharField(max_length=10), default=list, db_default=[])  # empty: all
    active = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="notices_channel_of_tenant", fields=["tenant_id", "created_at", "id"])]

    def __str__(self) -> str:
        return f"{self.label} ({self.scheme})"


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
    via = models.ForeignKey(Channel, null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
    gathered_in = models.ForeignKey("self", null=True, on_delete=models.PROTECT, db_index=False, related_name="+")
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
            models.UniqueConstraint(
                name="notices_one_delivery_a_channel", fields=["notice", "via"], condition=Q(via__isnull=False)
            ),
            models.CheckConstraint(name="notices_channel_known", condition=Q(channel__in=CHANNELS)),
            models.CheckConstraint(
                name="notices_one_receiver",
                condition=Q(member__isnull=False, endpoint=None, via=None)
                | Q(member=None, endpoint__isnull=False, via=None)
                | Q(member=None, endpoint=None, via__isnull=False),
            ),
            models.CheckConstraint(
                name="notices_due_while_waiting",
                condition=Q(state__in=STANDING, due_at__isnull=False, ended_at=None)
                | (~Q(state__in=STANDING) & Q(due_at=None, sender="", ended_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(name="notices_delivery_due", fields=["due_at"], condition=Q(state=WAITING)),
            models.Index(name="notices_delivery_undone", fields=["created_at"], condition=Q(state=WAITING)),
            models.Index(name="notices_delivery_dead", fields=["tenant_id", "-ended_at", "-id"], condition=Q(state=DEAD)),
            models.Index(name="notices_delivery_of_endpoint", fields=["endpoint", "-created_at", "-id"]),
            models.Index(name="notices_delivery_of_channel", fields=["via", "-created_at", "-id"], condition=Q(via__isnull=False)),
            models.Index(name="notices_held_due", fields=["due_at"], condition=Q(state=HELD)),
            models.Index(name="notices_held_for", fields=["member", "via"], condition=Q(state=HELD)),
            models.Index(name="notices_gathered_in", fields=["gathered_in"], condition=Q(gathered_in__isnull=False)),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}: {self.state}"


class Wishes(models.Model):
    """How a member wants to be told beside these pages. Who has no row here gets e-mail, a digest each quarter of an hour, at any hour."""

    member = models.OneToOneField(Member, primary_key=True, on_delete=models.PROTECT, related_name="+")
    tenant_id = models.UUIDField()
    off_at = models.DateTimeField(null=True)  # since when they want no e-mail
    kinds_off = ArrayField(models.CharField(max_length=40), default=list, db_default=[])  # not by any way but the page
    digest_minutes = models.PositiveSmallIntegerField(default=15, db_default=15)  # 0: each at once
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    time_zone = models.CharField(max_length=60, default="UTC", db_default="UTC")

    class Meta:
        constraints = [
            models.CheckConstraint(name="notices_digest_within_a_day", condition=Q(digest_minutes__lte=1440)),
            models.CheckConstraint(
                name="notices_quiet_from_and_until",
                condition=Q(quiet_from=None, quiet_until=None) | Q(quiet_from__isnull=False, quiet_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} {'off' if self.off_at else 'on'}"
