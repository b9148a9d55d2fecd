"""The admin: every row of the product to look at, for whoever runs it, one tenant at a time. Nothing is changed here: moves do that.

Of the web server only `/metrics` crosses tenants, to count; this does not: a tenant is chosen, and what is shown is read in a read-only
transaction of the application role for that tenant, so that row-level security holds here as on every page."""

import logging
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django.apps import apps
from django.contrib import auth
from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import BinaryField, Field, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from console.database import rows, transaction
from console.identity.models import Agent, ApiKey, Member, Tenant, User
from console.notices.models import Endpoint
from console.pages.room import READ_ONLY
from console.pages.signing_in import sign_in

logger = logging.getLogger(__name__)
OURS = ("identity", "ledger", "http", "notices", "approvals", "runs", "compensation")
CHOSEN = "admin_tenant"
TENANTS = 500
COLUMNS = 7
TELLING = (
    "name", "slug", "email", "prefix", "stream", "seq", "number", "key", "version", "goal", "summary", "operation", "operation_name",
    "kind", "verb", "verdict", "state", "outcome", "type", "active", "actor", "principal", "at", "created_at", "applied_at",
    "published_at", "started_at", "ended_at",
)  # fmt: skip
# Never shown, not even as a digest.
HIDDEN: dict[type[Model], set[str]] = {User: {"password"}, ApiKey: {"digest"}, Endpoint: {"sealed_secret"}}
# How the rows that no row-level security fences are those of a tenant; what is absent here is fenced, or belongs to no tenant.
OF_TENANT: dict[type[Model], str] = {
    Tenant: "pk",
    User: "memberships__tenant",
    Member: "tenant",
    Agent: "tenant",
    ApiKey: "tenant",
}


class Desk(AdminSite):
    """The admin's own door: superusers only, signed in as everybody is, looking at the tenant that they chose."""

    site_header = "Counterfoil: every row, to look at"
    site_title = "Counterfoil admin"
    index_title = "Rows"
    index_template = "admin/desk.html"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        user: Any = request.user
        return bool(user.is_active and getattr(user, "is_superuser", False))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        inner = super().admin_view(view, cacheable)

        def read(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return to_sign_in(request)
            with transaction(chosen(request)):
                rows(READ_ONLY)
                answer = inner(request, *args, **kwargs)
                if isinstance(answer, TemplateResponse):
                    answer.render()  # what it reads, it reads for this tenant
                return answer

        return read

    def for_superusers(self, view: Any) -> Any:
        """Let a view in that changes the session, which the read-only transaction would refuse."""
        inner = super().admin_view(view)

        def entered(request: HttpRequest) -> Any:
            return inner(request) if request.user.is_authenticated else to_sign_in(request)

        return entered

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        tenants = Tenant.objects.order_by("slug")[:TENANTS] if self.has_permission(request) else Tenant.objects.none()
        return {**super().each_context(request), "tenants": tenants, "chosen": chosen(request)}

    def get_urls(self) -> list[Any]:
        choose: URLPattern = path("tenant/", self.for_superusers(self.choose), name="tenant")
        leave: URLPattern = path(
            "logout/", self.logout, name="logout"
        )  # it ends the session, so it cannot be read only
        return [choose, leave, *super().get_urls()]

    def choose(self, request: HttpRequest) -> HttpResponse:
        """Look at another tenant from now on, by POST."""
        if request.method != "POST":
            raise Http404  # it is a form's address and no page
        tenant = Tenant.objects.filter(slug=request.POST.get("tenant", "")).first()
        if tenant is None:
            raise Http404
        request.session[CHOSEN] = str(tenant.pk)
        logger.info("admin: %s looks at the tenant %s", request.user.pk, tenant.slug)
        return HttpResponseRedirect(reverse("admin:index"))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.user.is_authenticated:
            raise PermissionDenied
        return HttpResponseRedirect(sign_in(request.GET.get("next") or reverse("admin:index")))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        if request.method == "POST":
            auth.logout(request)
        return HttpResponseRedirect(resolve_url("account_login"))

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return HttpResponseRedirect(reverse("account_change_password"))


class ToLookAt(ModelAdmin):
    """Rows of one model: nothing is added, changed or deleted here, whoever asks."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return desk.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return desk.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Let no filter in the address guess at what is never shown."""
        named = lookup.partition("__")[0]
        return named not in HIDDEN.get(self.model, set()) and super().lookup_allowed(lookup, value, request)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        raise Http404  # the record is the history

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        column = OF_TENANT.get(self.model)
        return found.filter(**{column: chosen(request)}) if column else found

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return shown(self.model)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return shown(self.model)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a stranger to sign in, and back; a form that was sent leads back to the first page."""
    back = request.get_full_path() if request.method == "GET" else reverse("admin:index")
    return HttpResponseRedirect(sign_in(back))


def shown(model: type[Model]) -> list[Any]:
    """Name what is shown of a row: every column but secrets, digests as people write them."""
    return [as_hex(field) if isinstance(field, BinaryField) else field.name for field in _columns(model)]


def as_hex(field: "Field[Any, Any]") -> Callable[[Any], str]:
    """Show a digest as hexadecimal text."""

    def text(row: Any) -> str:
        return bytes(getattr(row, field.name) or b"").hex()

    text.short_description = field.verbose_name  # type: ignore[attr-defined]
    text.__name__ = field.name
    return text


def _columns(model: type[Model]) -> list["Field[Any, Any]"]:
    hidden = HIDDEN.get(model, set())
    return [field for field in model._meta.concrete_fields if field.name not in hidden]


def _plain(model: type[Model]) -> list[str]:
    """Name the columns of a list: the key, and those by which people tell rows apart."""
    names = {field.name for field in _columns(model) if not field.is_relation}
    key = model._meta.pk.name
    return [key, *(name for name in TELLING if name in names and name != key)][:COLUMNS]


def chosen(request: HttpRequest) -> UUID | None:
    """Give the tenant that is looked at."""
    found = request.session.get(CHOSEN) if hasattr(request, "session") else None
    return UUID(found) if found else None


desk = Desk(name="admin")
for _model in cast("list[type[Model]]", [model for label in OURS for model in apps.get_app_config(label).get_models()]):
    desk.register(
        _model, type(f"{_model.__name__}ToLookAt", (ToLookAt,), {"list_display": _plain(_model), "ordering": ["-pk"]})
    )
