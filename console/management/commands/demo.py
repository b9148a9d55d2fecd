"""`manage.py demo`: a tenant to look around in, with its people and an agent's key; says how to sign in."""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from console import env
from console.database import cross_tenants_in_this_process
from console.identity import administration
from console.identity.models import Agent, Member, Tenant, User
from console.ledger.actors import Actor, system

SLUG = "demo"
PEOPLE = {
    "ann": ("Ann Okafor", ["approver"], ["finance"], "approves for finance"),
    "ravi": (
        "Ravi Menon",
        ["approver", "operator"],
        ["finance", "support"],
        "approves too, and is the second who operates",
    ),
    "omar": ("Omar Diaz", ["operator"], [], "operates, and answers for the agent"),
    "dora": ("Dora Lindqvist", ["admin"], [], "administers, and is not the one who decides"),
}
OWNER = "omar"
AGENT = "support-agent"
KEY_LASTS = timedelta(days=365)


class Command(BaseCommand):
    """Make the demo tenant, once; a second time it only says how to sign in."""

    help = "Make the demo tenant (once) and say how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        password = kept("demo-password", lambda: secrets.token_urlsafe(9))
        members = people(password)
        agent = Agent.objects.filter(tenant__slug=SLUG, name=AGENT).first() or administration.add_agent(
            by(members[OWNER].tenant_id), AGENT, members[OWNER]
        )
        kept("agent.key", lambda: key_for(agent))
        self.stdout.write("Sign in with any of these, and the same password for all:\n")
        for name, (full_name, _, _, what) in PEOPLE.items():
            self.stdout.write(f"  {address(name):28} {full_name} {what}")
        self.stdout.write(f"  password                     {password}")


def people(password: str) -> dict[str, Member]:
    """Give the demo's members, made where they are missing."""
    tenant = Tenant.objects.filter(slug=SLUG).first() or administration.open_tenant(system("command"), SLUG, "Acme")
    members: dict[str, Member] = {}
    for name, (full_name, roles, groups, _) in PEOPLE.items():
        user = User.objects.filter(email=address(name)).first() or User.objects.create_user(
            address(name), password, name=full_name
        )
        if not user.check_password(password):  # the file was made anew
            user.set_password(password)
            user.save(update_fields=["password"])
        found = Member.objects.filter(tenant=tenant, user=user).first()
        members[name] = found or administration.add_member(by(tenant.pk), user, roles, groups)
    return members


def by(tenant_id: Any) -> Actor:
    """Give this command as an actor in the tenant."""
    return Actor(kind="system", id=None, name="command", tenant_id=tenant_id, via="command")


def address(name: str) -> str:
    """Give a demo person's e-mail address."""
    return f"{name}@acme.example"


def key_for(agent: Agent) -> str:
    """Issue a key for the agent."""
    _, text = administration.issue_key(by(agent.tenant_id), agent, lasts=KEY_LASTS, scopes=list(administration.SCOPES))
    return text


def kept(name: str, make: Any) -> str:
    """Give what a file of the data folder holds, made and kept for its owner only where it is missing."""
    path: Path = env.data_dir() / name
    if not path.exists() or not path.read_text(encoding="utf-8").strip():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{name}.part")
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        part.write_text(make(), encoding="utf-8")
        part.replace(path)  # whole, or not at all
    return path.read_text(encoding="utf-8").strip()
