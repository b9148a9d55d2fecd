"""Django's cache, kept in PostgreSQL: what every web process must know at once, such as how often a password was wrong.

allauth counts wrong passwords and codes in the cache, and keeps there which code was used; in a process's own memory each process would
count for itself. Nothing rests on the bell's Redis. Values are JSON, times are the database's; what has expired goes as others come."""

import json
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

from console.database import rows

SWEPT: Final = 20  # how many expired ones go with each that comes
SET: Final = """
insert into identity_remembered (key, value, expires_at) values (%s, %s, coalesce(cf_now() + make_interval(secs => %s), 'infinity'))
on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
"""
ADD: Final = SET + " where identity_remembered.expires_at <= cf_now() returning key"
GET: Final = "select value from identity_remembered where key = %s and expires_at > cf_now()"
DELETE: Final = "delete from identity_remembered where key = %s returning expires_at > cf_now() as stood"
SWEEP: Final = """
delete from identity_remembered where key in (
    select key from identity_remembered where expires_at <= cf_now() order by expires_at limit %s for update skip locked) returning 1
"""


class SharedMemory(BaseCache):
    """A cache that all processes share, for small things."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it unless something is kept under this key; tells whether it was kept. Of two at once one is."""
        rows(SWEEP, [SWEPT])
        return bool(rows(ADD, [self._name(key, version), json.dumps(value), self._seconds(timeout)]))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Give what is kept."""
        found = rows(GET, [self._name(key, version)])
        return json.loads(found[0]["value"]) if found else default

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep it."""
        rows(SET + " returning key", [self._name(key, version), json.dumps(value), self._seconds(timeout)])

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it for longer."""
        found = self.get(key, None, version)
        if found is not None:
            self.set(key, found, timeout, version)
        return found is not None

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget it."""
        found = rows(DELETE, [self._name(key, version)])
        return bool(found and found[0]["stood"])

    def clear(self) -> None:
        """Forget everything."""
        rows("delete from identity_remembered returning 1")

    def _name(self, key: str, version: int | None) -> str:
        return self.make_and_validate_key(key, version=version)

    def _seconds(self, timeout: Any) -> float | None:
        return self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
