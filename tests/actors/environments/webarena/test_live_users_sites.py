"""Sessions on sites that somebody else serves: ours, by address, in a process of their own."""

import asyncio
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Generator
from contextlib import nullcontext
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from quintet.environments.webarena.world import WebArena
from quintet.errors import ProcessLost, UsageError, WorldFault
from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import named, number_of, served_sites, tasks_file, world_of

pytestmark = pytest.mark.web
USER, PASSWORD = "tidewalker", "grey-heron-7"


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    """Of a forum."""
    with served_sites() as addresses:
        yield addresses["reddit"]


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, {}, {"start_url": "__REDDIT__/submit/books"})


def sites(folder: Path, address: str, password: str = PASSWORD) -> Path:
    (folder / "password").write_text(password, encoding="utf-8")
    text = f'[reddit]\naddress = "{address}"\nusername = "{USER}"\npassword_file = "password"\n'
    (folder / "sites.toml").write_text(text, encoding="utf-8")
    return folder / "sites.toml"


@in_loop
async def test_what_is_sent_lasts_and_going_back_is_by_address(address: str, tasks: Path, tmp_path: Path) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        session = await world.open(named())
        looked = await session.step("goto [http://reddit.com/forums]")
        snapshot = await session.snapshot()
        await session.step("goto [http://reddit.com/]")
        restored = await world.restore(named(), snapshot)
        assert (looked.lasting, restored.observation) == (False, looked.observation)
        # Upvoting is a POST.
        page = await session.step("goto [http://reddit.com/f/baking/1]")
        voted = await session.step(f"click [{number_of(page.observation, 'button', 'Upvote')}]")
        assert (voted.rejected, voted.lasting) == (False, True)


@in_loop
async def test_it_gets_ready_by_the_logins_that_its_sessions_use(address: str, tasks: Path, tmp_path: Path) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        await world.get_ready(["webarena-0"])
        (tmp_path / "password").write_text("another", encoding="utf-8")
        assert USER in (await world.open(named())).observation


@in_loop
async def test_a_password_that_is_wrong_is_said_and_not_shown(address: str, tasks: Path, tmp_path: Path) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address, "not-the-pass-word")) as world:
        with pytest.raises(WorldFault, match="reddit: log in: expected to be logged in") as caught:
            await world.open(named())
        assert caught.value.__context__ is None
        with pytest.raises(UsageError, match=r"^webarena: reddit: log in: expected to be logged in") as unready:
            await world.get_ready(["webarena-0"])
        for error in (caught.value, unready.value):
            assert "not-the-pass-word" not in "".join(traceback.format_exception(error))


@in_loop
async def test_a_site_that_is_down_leads_elsewhere_or_fails_is_named(tasks: Path, tmp_path: Path) -> None:
    async def lead_elsewhere(request: web.Request) -> web.Response:
        raise web.HTTPFound("http://elsewhere.example/path?secret")

    async def fail(request: web.Request) -> web.Response:
        raise web.HTTPBadGateway

    async with world_of(tasks, sites=sites(tmp_path, "http://localhost:9")) as world:
        with pytest.raises(WorldFault, match=r"reddit: log in: expected .* got net::ERR_.* \(http://localhost:9\)$"):
            await world.open(named())
    application = web.Application()
    application.router.add_get("/", lead_elsewhere)
    application.router.add_get("/fails", fail)
    file = tmp_path / "sites.toml"
    async with TestServer(application) as server:
        for address, got, opens in (
            ("http://localhost:9", "expected a page, got net::ERR_", False),
            (
                server.make_url("/"),
                r"expected a page of this site, got one of http://elsewhere\.example/path \(",
                False,
            ),
            (server.make_url("/fails"), "expected a page, got status 502", True),
        ):
            file.write_text(f'[reddit]\naddress = "{address}"\n', encoding="utf-8")
            async with world_of(tasks, sites=file) as world:
                with pytest.raises(UsageError, match=f"^webarena: reddit: {got}"):
                    await world.get_ready(["webarena-0"])
                await world.get_ready([])
                at = str(address).rstrip("/")
                error = (
                    nullcontext()
                    if opens
                    else pytest.raises(WorldFault, match=f"^reddit: expected a page at {at}/?, got")
                )
                with error:
                    await world.open(named())


@in_loop
async def test_a_session_is_logged_in_as_the_files_user_anew_where_the_site_forgot_it(
    address: str, tasks: Path, tmp_path: Path
) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        session = await world.open(named())
        assert (USER in session.observation, "localhost" in session.observation) == (True, False)
        await session.step(f"click [{number_of(session.observation, 'button', 'Log out')}]")
        assert USER in (await world.open(named())).observation


@in_loop
async def test_the_reset_is_the_users_command(address: str, tasks: Path, tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -c \"open('{tmp_path}/reset', 'w')\""
    async with world_of(tasks, sites=sites(tmp_path, address), reset=command) as world:
        await world.reset()
        assert (tmp_path / "reset").exists()
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        with pytest.raises(WorldFault, match=r"environment\.reset: expected a command"):
            await world.reset()


@in_loop
async def test_a_browser_that_ends_during_a_login_is_no_fault_of_the_site(
    address: str, tasks: Path, tmp_path: Path
) -> None:
    worlds: list[WebArena] = []

    async def end_the_browser(request: web.Request) -> web.Response:
        process = worlds[0]._browser.browser._process  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        os.kill(process._number, signal.SIGKILL)  # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(60)  # the browser has gone by then, and takes its request with it
        return web.Response()

    application = web.Application()
    application.router.add_get("/login", end_the_browser)
    async with TestServer(application) as server:
        file = sites(tmp_path, str(server.make_url("")).rstrip("/"))
        async with world_of(tasks, sites=file) as world:
            worlds.append(world)
            with pytest.raises(ProcessLost, match="the browser ended"):
                await world.open(named())
