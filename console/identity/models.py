"""Who is asking: people and the tenants they belong to, agents and their keys."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from uuid_utils.compat import uuid7

from console.clock import DatabaseNow
from console.fields import Digest
from console.identity import scopes as known
from console.ledger.models import Chained


class Users(BaseUserManager["User"]):
    """Users are found by e-mail address, whatever its case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make a user; no password means none that works."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make a user who may look into the admin; of a tenant they are no member by that."""
        return self.create_user(email, password, is_superuser=True, **fields)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email__iexact=email or "")


class User(AbstractBaseUser):
    """A person who signs in; what they may do is said by their memberships."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True, db_default=True)
    # whether they may look at every tenant's rows in the admin, one tenant at a time, and change none
    is_superuser = models.BooleanField(default=False, db_default=False)
    # whether an administrator was shown their password, and they have not changed it since
    first_password = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(db_default=DatabaseNow())

    objects: ClassVar[Users] = Users()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="identity_one_user_an_address")]

    def __str__(self) -> str:
        return self.name


class Tenant(Chained):
    """A company whose rows nobody else sees; its stream is the record of its administration."""

    recorded: ClassVar[tuple[str, ...]] = ("slug", "name")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(db_default=DatabaseNow())

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person in a tenant, with roles (approver, operator, admin) and approver groups."""

    recorded: ClassVar[tuple[str, ...]] = ("user_id", "roles", "groups", "active", "created_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="members")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    roles = ArrayField(models.CharField(max_length=20), default=list, db_default=[])
    groups = ArrayField(models.CharField(max_length=63), default=list, db_default=[])
    active = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField(db_default=DatabaseNow())
    # operational: how far the tour of a demo has come for this member; null: put away
    tour_step = models.PositiveSmallIntegerField(null=True, default=0, db_default=0)
    # operational: whether single keys do something on pages for this member (WCAG 2.1.4)
    single_keys = models.BooleanField(default=True, db_default=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="identity_one_membership", fields=["tenant", "user"])]

    def __str__(self) -> str:
        return self.user.name


class Agent(models.Model):
    """A non-human principal, answered for by an owner."""

    recorded: ClassVar[tuple[str, ...]] = ("name", "owner_id", "active", "created_at")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="agents")
    name = models.CharField(max_length=63)
    owner = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="agents")
    active = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField(db_default=DatabaseNow())

    class Meta:
        constraints = [models.UniqueConstraint(name="identity_one_agent_a_name", fields=["tenant", "name"])]

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key of an agent or of a member. Only its SHA-256 is kept (it is random, so a slow hash would guard nothing); it is shown once."""

    recorded: ClassVar[tuple[str, ...]] = (
        "agent_id",
        "member_id",
        "name",
        "prefix",
        "digest",
        "scopes",
        "expires_at",
        "revoked_at",
        "created_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="api_keys")
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, null=True, related_name="keys")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, db_index=False, related_name="keys")
    name = models.CharField(max_length=63, default="", db_default="")  # what a member uses it for
    prefix = models.CharField(max_length=16)
    digest = Digest(unique=True)
    scopes = ArrayField(models.CharField(max_length=20), default=list, db_default=[])
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=DatabaseNow())
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="identity_key_prefix_is_ours", condition=Q(prefix__startswith="cf_")),
            models.CheckConstraint(
                name="identity_key_has_one_holder",
                condition=Q(agent__isnull=False, member__isnull=True) | Q(agent__isnull=True, member__isnull=False),
            ),
            models.CheckConstraint(
                name="identity_key_has_its_holders_scopes",
                condition=(Q(agent__isnull=False) & ~Q(scopes__overlap=list(known.MEMBERS)))
                | Q(member__isnull=False, scopes__contained_by=list(known.MEMBERS)),
            ),
        ]
        indexes = [
            models.Index(name="identity_key_of_member", fields=["member"], condition=Q(member__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.prefix


class Remembered(models.Model):
    """What all web processes remember for a short while, such as how often a password was wrong: Django's cache, in PostgreSQL."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="identity_remembered_until", fields=["expires_at"])]

    def __str__(self) -> str:
        return self.key


class StepUp(models.Model):
    """A proof, just given, that it is really this member: what a key of theirs shows beside itself. Only its SHA-256 is kept."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, db_index=False, related_name="+")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, db_index=False, related_name="+")
    digest = Digest(unique=True)
    method = models.CharField(max_length=20)
    at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(name="identity_step_up_newest", fields=["member", "-at"])]

    def __str__(self) -> str:
        return f"{self.member_id} by {self.method}"
