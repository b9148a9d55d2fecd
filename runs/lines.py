"""A shift's line to PostgreSQL: one connection, opened after the fork, opened again after it broke."""

from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg.rows import dict_row

Row = dict[str, Any]
AWAY = (psycopg.OperationalError, psycopg.InterfaceError)  # the database cannot be reached, or gave the statement up


class Line:
    """Runs one statement at a time in autocommit: one call, one round trip, one commit."""

    def __init__(self, dsn: str, name: str) -> None:
        self.dsn, self.name = dsn, name
        self.connection: psycopg.AsyncConnection[Row] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.hang_up()

    async def ask(self, sql: str, parameters: list[Any]) -> list[Row]:
        """Run the statement and give its rows; a broken connection is dropped, so that the next call opens a new one."""
        try:
            if self.connection is None:
                self.connection = await psycopg.AsyncConnection.connect(
                    self.dsn,
                    autocommit=True,
                    row_factory=dict_row,
                    connect_timeout=5,
                    application_name=self.name,
                    prepare_threshold=0,
                )
            cursor = await self.connection.execute(sql, parameters)
            return await cursor.fetchall() if cursor.description else []
        except AWAY:
            await self.hang_up()
            raise

    async def hang_up(self) -> None:
        """Close the connection, if there is one."""
        connection, self.connection = self.connection, None
        if connection is not None:
            await connection.close()
