"""`manage.py tenant open SLUG NAME --admin ADDRESS`: a tenant with its first administrator, who does the rest on pages."""

import re
import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email

from console.database import cross_tenants_in_this_process
from console.identity import administration
from console.identity.models import Member, Tenant, User
from console.ledger.actors import Actor, system

SLUG = re.compile(r"[a-z][a-z0-9-]{0,49}")


class Command(BaseCommand):
    """Open a tenant and let its first administrator in; a second time it makes what is missing."""

    help = "Open a tenant with its first administrator; the password of a new user is printed here and never again."

    def add_arguments(self, parser: CommandParser) -> None:
        opening = parser.add_subparsers(dest="action", required=True).add_parser("open", help="open a tenant")
        opening.add_argument("slug", help="its short name: small letters, digits and hyphens")
        opening.add_argument("name", help="its name as pages show it")
        opening.add_argument("--admin", required=True, help="the e-mail address of its first administrator")
        opening.add_argument("--person", default="", help="that person's name; the address where there is none")

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        slug, address = options["slug"], options["admin"].strip().lower()
        if not SLUG.fullmatch(slug):
            raise CommandError("A short name is small letters, digits and hyphens, and begins with a letter.")
        try:
            validate_email(address)
        except ValidationError:
            raise CommandError(f"{address} is no e-mail address.") from None
        user = User.objects.filter(email__iexact=address).first()
        if user is not None and Member.objects.filter(tenant__slug=slug, user=user).exists():
            self.stdout.write(f"{address} is a member already.")
            return
        if user is not None and user.first_password:
            raise CommandError(
                f"The first password of {address} was not changed yet; they sign in and change it first."
            )
        tenant = Tenant.objects.filter(slug=slug).first() or self.open(slug, options["name"])
        user = user or self.make(address, options["person"] or address)
        by = Actor(kind="system", id=None, name="command", tenant_id=tenant.pk, via="command")
        administration.add_member(by, user, ["admin"], [])
        self.stdout.write(f"{address} administers {tenant.name}.")

    def open(self, slug: str, name: str) -> Tenant:
        """Open the tenant."""
        made = administration.open_tenant(system("command"), slug, name)
        self.stdout.write(f"{name} is open.")
        return made

    def make(self, address: str, name: str) -> User:
        """Make the user, with a password that is shown once."""
        password = secrets.token_urlsafe(12)
        made: User = User.objects.create_user(address, password, name=name)
        self.stdout.write(f"Password of {address}: {password}")
        return made
