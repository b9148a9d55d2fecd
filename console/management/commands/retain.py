"""`manage.py retain`: say what has been kept long enough, and with --apply let it go."""

import signal
import threading
from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from console.database import cross_tenants_in_this_process, transaction
from console.http.refusals import Refusal
from console.identity.members import member_actor
from console.identity.models import Member, Tenant
from console.ledger.actors import Actor
from runs import erasing, retention
from runs.retention import KINDS, SESSIONS, WHAT, Due


def days(text: str) -> int:
    """Read a number of days. A negative one would reach into the future, to receipts and sessions that are still good."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no whole number of days from 0 up")
    return int(text)


class Command(BaseCommand):
    """Say what would go; --apply lets it go, in small transactions, and may be stopped and begun again."""

    help = "Say what has been kept long enough (nothing is changed); with --apply, let it go."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="let it go; without this nothing is changed")
        parser.add_argument("--tenant", metavar="SLUG", help="this tenant alone")
        for kind in KINDS:
            parser.add_argument(
                f"--{kind}-days", type=days, metavar="N", help=f"keep {kind} for N days, whatever the settings say"
            )
        parser.add_argument("--by", metavar="EMAIL", help="the admin who decides it; needed unless the settings decide")
        parser.add_argument("--reason", help="why; it stays in the record for ever")
        parser.add_argument("--hold", metavar="RUN", type=UUID, help="keep this run's contents until they are released")
        parser.add_argument("--release", metavar="RUN", type=UUID, help="let retention have this run again")

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        try:
            if options["hold"] or options["release"]:
                self.hold_or_release(**options)
            else:
                self.retain(**options)
        except Refusal as refusal:
            raise CommandError(f"{refusal.detail} {refusal.facts or ''}".strip()) from None

    def hold_or_release(self, *, tenant: str | None, by: str | None, reason: str | None, **options: Any) -> None:
        """Put a run on hold, or release it."""
        who = self.admin(by, self.tenant(tenant))
        move, run = (erasing.hold, options["hold"]) if options["hold"] else (erasing.release, options["release"])
        move(who, run, reason=reason or "")
        self.stdout.write(f"{'On hold' if options['hold'] else 'Released'}: run {run}.")

    def retain(self, *, apply: bool, tenant: str | None, by: str | None, reason: str | None, **options: Any) -> None:
        """Say what is due, and let it go if told to."""
        given = {kind: timedelta(days=options[f"{kind}_days"]) for kind in KINDS if options[f"{kind}_days"] is not None}
        kept = retention.spans() | given
        if not kept:
            self.stdout.write("Everything is kept for ever: no RETAIN_…_DAYS is set, and no --…-days is given.")
            return
        among = retention.tenants(tenant)
        if tenant and not among:
            raise CommandError(f"There is no tenant {tenant!r}.")
        found = list(retention.due(kept, among))
        for kind, span in kept.items():
            self.stdout.write(f"{kind}, kept {span.days} days: {WHAT[kind]}")
        for each in found:
            self.stdout.write(str(each))
        if not apply:
            self.stdout.write("Nothing was changed. --apply lets it go.")
            return
        if given and not (by and reason):
            raise CommandError("What the settings do not decide, an admin does: give --by and --reason.")
        self.let_go(found, kept, by, reason, among)

    def let_go(
        self, found: list[Due], kept: dict[str, timedelta], by: str | None, reason: str | None, among: list[Tenant]
    ) -> None:
        """Let all of it go, bite by bite, until it is done or somebody says stop; the bite in hand is finished."""
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        actors = {one.pk: self.actor(one, by, reason) for one in among}
        broken = 0
        for each in found:
            who = Actor("system", None, "retain", None, "command") if each.kind == SESSIONS else actors[each.tenant_id]  # type: ignore[index]
            broken += self.let_kind_go(who, each, kept[each.kind], reason or retention.policy_reason(each.kind), stop)
        if stop.is_set():
            self.stdout.write("Stopped. The same command goes on where this one ended.")
        if broken:
            raise CommandError(
                f"{broken} runs or requests were passed over because their record does not hold; `manage.py verify` says how."
            )

    def let_kind_go(self, who: Actor, each: Due, span: timedelta, reason: str, stop: threading.Event) -> int:
        """Let one kind go; gives how many were passed over because their record does not hold."""
        gone, broken, shown = 0, 0, 0
        passed: set[UUID] = set()
        while not stop.is_set():
            try:
                some = retention.let_go(who, each.kind, each.tenant_id, span, reason, passed)
            except erasing.DoesNotHold as refusal:
                self.stderr.write(f"{each.tenant} {each.kind}: {refusal.detail} {refusal.facts['first']}")
                broken += 1
                continue
            if not some:
                break
            gone += some
            if gone - shown >= max(each.count // 20, 100):
                shown = gone
                self.stdout.write(f"{each.tenant} {each.kind}: {gone} of {each.count}")
                self.stdout.flush()
        self.stdout.write(f"{each.tenant} {each.kind}: {gone} gone.")
        return broken

    def actor(self, tenant: Tenant, by: str | None, reason: str | None) -> Actor:
        """Give who lets it go: an admin, or the settings by this command."""
        if by is None:
            return Actor("system", None, "retain", tenant.pk, "command")
        who = self.admin(by, tenant)
        retention.check_authority(who, reason or "")
        return who

    def admin(self, email: str | None, tenant: Tenant) -> Actor:
        """Give the member of that address as an actor."""
        if email is None:
            raise CommandError("Say by --by which admin decides it.")
        with transaction(tenant.pk):
            found = (
                Member.objects.filter(tenant=tenant, user__email__iexact=email, active=True)
                .select_related("user")
                .first()
            )
        if found is None:
            raise CommandError(f"{email} is no member of {tenant.slug}.")
        return member_actor(found, via="command")

    def tenant(self, slug: str | None) -> Tenant:
        """Give the tenant that is named, which a hold needs."""
        found = retention.tenants(slug) if slug else []
        if not found:
            raise CommandError("Name the run's tenant by --tenant.")
        return found[0]
