"""The outbox as rows: which deliveries are due, taken for a while by whoever sends them, and what became of each attempt.

These are the courier's statements: it has a line of its own to the database and uses no ORM."""

from typing import Any, Final

import psycopg
from psycopg.rows import dict_row

from console.database import rows
from console.ledger.erasing import ERASED
from console.notices.fate import Answer, Fate
from console.notices.letters import Letter

IS_DUE: Final = "select exists (select from notices_delivery where state = 'waiting' and due_at <= cf_now()) as due"
# Whoever takes a delivery has it until `due_at`; then it is due again, for one who vanished meanwhile.
TAKE: Final = """
with due as (
    select id from notices_delivery where state = 'waiting' and due_at <= cf_now() and channel = any (%s)
    order by due_at limit %s for no key update skip locked),
taken as (
    update notices_delivery d set due_at = cf_now() + make_interval(secs => %s), sender = %s, attempts = d.attempts + 1,
        sent_times = d.sent_times + 1
    from due where d.id = due.id
    returning d.id, d.attempts, d.channel, d.tenant_id, d.notice_id, d.member_id, d.endpoint_id, d.via_id)
select d.id as delivery_id, d.attempts as attempt, d.channel, t.slug as tenant, n.id as notice_id, n.kind, n.about, n.title, n.text,
       n.path, n.posted_at, n.state, n.deadline_at as until, coalesce(u.email, e.url, c.scheme) as address,
       coalesce(e.active, (c.active or c.id is null) and ((m.active and u.is_active) or m.id is null)) as wanted,
       e.id as endpoint_id, e.sealed_secret, c.id as via_id, c.sealed_url, coalesce(y.because, '') as because
from taken d join notices_notice n on n.id = d.notice_id join identity_tenant t on t.id = d.tenant_id
left join notices_channel c on c.id = d.via_id left join identity_member m on m.id = coalesce(d.member_id, c.member_id)
left join identity_user u on u.id = m.user_id left join notices_endpoint e on e.id = d.endpoint_id
left join notices_copy y on y.notice_id = d.notice_id and y.member_id = m.id
"""
# Who was given up, and whose delivery was taken by another meanwhile, settles nothing. Of a notice that was erased meanwhile no answer is
# kept: its row is held, so that erasing comes wholly before or wholly after this.
SETTLE: Final = """
with told as (select id, title = %s and text = '' as erased from notices_notice where id = %s for share)
update notices_delivery d set state = %s, due_at = cf_now() + make_interval(secs => %s), sender = '', last_at = cf_now(), last_outcome = %s,
    last_status = %s, last_answer = case when told.erased then '' else %s end, ended_at = case when %s::text <> 'waiting' then cf_now() end
from told where d.id = %s and d.notice_id = told.id and d.state = 'waiting' and d.sender = %s and d.attempts = %s
returning d.id
"""


def is_due() -> bool:
    """Tell whether a courier would find something to send now."""
    return bool(rows(IS_DUE)[0]["due"])


class Outbox:
    """A courier's line to the outbox: one statement at a time, each a transaction of its own."""

    def __init__(self, dsn: str, name: str) -> None:
        self.dsn, self.name = dsn, name
        self.connection: psycopg.AsyncConnection[dict[str, Any]] | None = None

    async def take(self, channels: list[str], most: int, seconds: float) -> list[Letter]:
        """Take what is due, for so many seconds."""
        return [Letter(**row) for row in await self._ask(TAKE, [channels, most, seconds, self.name])]

    async def settle(self, letter: Letter, answer: Answer, became: Fate) -> bool:
        """Write down what became of an attempt; False when the delivery had been given to another."""
        return bool(await self._ask(
            SETTLE,
            [
                ERASED, letter.notice_id, became.state, became.delay, answer.outcome, answer.status, answer.said, became.state,
                letter.delivery_id, self.name, letter.attempt,
            ],
        ))  # fmt: skip

    async def close(self) -> None:
        """Close the line, if it is open."""
        connection, self.connection = self.connection, None
        if connection is not None:
            await connection.close()

    async def _ask(self, sql: str, parameters: list[Any]) -> list[dict[str, Any]]:
        try:
            if self.connection is None:
                self.connection = await psycopg.AsyncConnection.connect(
                    self.dsn, autocommit=True, row_factory=dict_row, connect_timeout=5, application_name=f"{self.name} sends",
                    prepare_threshold=0,
                )  # fmt: skip
            return await (await self.connection.execute(sql, parameters)).fetchall()
        except (psycopg.OperationalError, psycopg.InterfaceError):
            await self.close()
            raise
