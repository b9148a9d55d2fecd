"""What is answered with 2xx must survive a power cut: PostgreSQL flushes what it commits, and the roles are what they are said to be.

Asked once when a serving process starts, which refuses to go on otherwise (R-A1)."""

import logging
from collections.abc import Mapping

from console import env
from console.database import rows

logger = logging.getLogger(__name__)
FLUSHES = "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version_num')"
RIGHTS = """select current_user as name, rolsuper or rolbypassrls as unfenced,
                   exists (select from pg_tables where tablename = 'runs_run' and tableowner = current_user) as owns
            from pg_roles where rolname = current_user"""
OLDEST = 150000


class NotDurable(Exception):
    """PostgreSQL may lose what it has committed, or is too old, or the role sees more than it should."""


def require() -> None:
    """Check the connection in force. Raises NotDurable, which says what to change; RELAXED_DURABILITY=yes goes on, and says so."""
    settings = {row["name"]: row["setting"] for row in rows(FLUSHES)}
    if int(settings["server_version_num"]) < OLDEST:
        raise NotDurable("PostgreSQL 15 or newer is needed.")
    who = rows(RIGHTS)[0]
    if who["unfenced"] or who["owns"]:
        raise NotDurable(
            f"The role {who['name']} owns the tables or escapes row-level security. Serve with a role of its own: docs/running.md."
        )
    found = loose(settings)
    if not found:
        return
    told = f"PostgreSQL runs with {', '.join(found)}: what was accepted can be lost when it or its machine stops."
    if not env.flag("RELAXED_DURABILITY"):
        raise NotDurable(f"{told} Switch it on, or set RELAXED_DURABILITY=yes to accept that.")
    logger.warning("%s RELAXED_DURABILITY accepts it.", told)


def loose(settings: Mapping[str, str]) -> list[str]:
    """Give which of the settings let PostgreSQL lose what it has committed."""
    found = [f"{name} = {settings[name]}" for name in ("fsync", "full_page_writes") if settings[name] != "on"]
    return [*found, "synchronous_commit = off"] if settings["synchronous_commit"] == "off" else found
