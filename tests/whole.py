"""The whole database as one look at it: what two looks have in common did not change."""

from tests.superuser import hand

TABLES = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1"


def everything() -> dict[str, str]:
    """Give a digest of the rows of every table, by its name."""
    connection = hand()
    found = {}
    for (table,) in connection.execute(TABLES).fetchall():
        rows = f"select coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') from {table} t"
        row = connection.execute(rows.encode()).fetchone()
        found[table] = "" if row is None else row[0]
    connection.rollback()
    return found


def changed(before: dict[str, str]) -> list[str]:
    """Name the tables that are not as they were."""
    now = everything()
    return sorted(table for table in before.keys() | now.keys() if before.get(table) != now.get(table))
