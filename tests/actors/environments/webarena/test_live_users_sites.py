"""Sessions on served sites: somebody else's, cancelled, kept as recordings, and restored from snapshots."""

import asyncio
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Generator, Mapping
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.provision.own import OwnSites
from quintet.environments.webarena.provision.recorded import NOT_RECORDED, serve_recorded
from quintet.environments.webarena.recording.archive import SavedPage, read_recording
from quintet.environments.webarena.recording.record import record_session
from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.world import WebArena
from quintet.errors import ProcessLost, UsageError, WorldFault
from tests.actors.environments.webarena.live import (
    any_action,
    named,
    number_of,
    served_sites,
    tasks_file,
    wander,
    world_of,
)

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


async def test_it_gets_ready_by_the_logins_that_its_sessions_use(address: str, tasks: Path, tmp_path: Path) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        await world.get_ready(["webarena-0"])
        (tmp_path / "password").write_text("another", encoding="utf-8")
        assert USER in (await world.open(named())).observation


async def test_a_password_that_is_wrong_is_said_and_not_shown(address: str, tasks: Path, tmp_path: Path) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address, "not-the-pass-word")) as world:
        with pytest.raises(WorldFault, match="reddit: log in: expected to be logged in") as caught:
            await world.open(named())
        assert caught.value.__context__ is None
        with pytest.raises(UsageError, match=r"^webarena: reddit: log in: expected to be logged in") as unready:
            await world.get_ready(["webarena-0"])
        for error in (caught.value, unready.value):
            assert "not-the-pass-word" not in "".join(traceback.format_exception(error))


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


async def test_a_session_is_logged_in_as_the_files_user_anew_where_the_site_forgot_it(
    address: str, tasks: Path, tmp_path: Path
) -> None:
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        session = await world.open(named())
        assert (USER in session.observation, "localhost" in session.observation) == (True, False)
        await session.step(f"click [{number_of(session.observation, 'button', 'Log out')}]")
        assert USER in (await world.open(named())).observation


async def test_the_reset_is_the_users_command(address: str, tasks: Path, tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -c \"open('{tmp_path}/reset', 'w')\""
    async with world_of(tasks, sites=sites(tmp_path, address), reset=command) as world:
        await world.reset()
        assert (tmp_path / "reset").exists()
    async with world_of(tasks, sites=sites(tmp_path, address)) as world:
        with pytest.raises(WorldFault, match=r"environment\.reset: expected a command"):
            await world.reset()


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


@pytest.fixture
def tasks_to_cancel(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, {})


def held(world: WebArena) -> Mapping[str, int]:
    """How many windows and instances there are."""
    provider = world._provider  # pyright: ignore[reportPrivateUsage]
    assert isinstance(provider, OwnSites)
    instances = provider._server._instances  # pyright: ignore[reportPrivateUsage]
    process = world._browser.browser._process  # pyright: ignore[reportPrivateUsage]
    return {"windows": process.windows if process else 0, "instances": len(instances)}


async def test_a_step_that_is_cancelled_leaves_nothing_once_its_session_is_closed(tasks_to_cancel: Path) -> None:
    async with world_of(tasks_to_cancel) as world:
        session = await world.open(named())
        assert held(world) == {"windows": 1, "instances": 1}
        step = asyncio.create_task(session.step("goto [http://reddit.com/forums]"))
        for _ in range(10):
            await asyncio.sleep(0)
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        await session.close()
        await session.close()
        assert held(world) == {"windows": 0, "instances": 0}
        assert not (await (await world.open(named())).step("scroll [down]")).rejected


@pytest.mark.parametrize("turns", [0, 1, 3, 10, 30, 100, 300])
async def test_an_opening_that_is_cancelled_leaves_nothing(turns: int, tasks_to_cancel: Path) -> None:
    async with world_of(tasks_to_cancel) as world:
        await (await world.open(named())).close()
        opening = asyncio.create_task(world.open(named()))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        (session,) = await asyncio.gather(opening, return_exceptions=True)
        if isinstance(session, WebSession):
            await session.close()  # it was open by then
        assert held(world) == {"windows": 0, "instances": 0}


ACTIONS = ("goto [http://reddit.com/search]", "goto [http://reddit.com/forums]", "stop []")


def test_a_session_is_kept_and_played_again(tmp_path: Path) -> None:
    tasks, pages, actions = tasks_file(tmp_path, {}), tmp_path / "pages.zip", tmp_path / "actions"
    actions.write_text("\n".join(ACTIONS), encoding="utf-8")
    summary = record_session(task="0", out=pages, actions=actions, tasks=tasks)
    assert summary.notes[0] == "task webarena-0: 3 actions, reward 1"
    recording = read_recording(pages)
    assert [step.action for step in recording.steps] == ["", *ACTIONS]
    assert all(step.picture.startswith(b"\xff\xd8") for step in recording.steps)
    asyncio.run(_play_again(tasks, pages, [step.observation for step in recording.steps]))


async def _play_again(tasks: Path, pages: Path, seen: list[str]) -> None:
    async with world_of(tasks, pages=pages) as world:
        session = await world.open(named())
        assert "from a recording" in session.opening.setting.splitlines()[0]
        outcomes = [await session.step(action) for action in ACTIONS[:2]]
        assert [outcome.observation for outcome in outcomes] == seen[1:3]
        other = await session.step("goto [http://reddit.com/f/anything]")
        assert NOT_RECORDED in other.observation
        await session.step("go_back")
        assert (await session.step("stop []")).reward == 1.0


async def test_a_recorded_page_opens_no_web_socket() -> None:
    asked: list[str] = []

    async def note(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response()

    application = web.Application()
    application.router.add_get("/{path:.*}", note)
    script = "new WebSocket(location.origin.replace('http', 'ws') + '/talk').onclose = () => document.title = 'closed'"
    browser = Browser()
    async with TestServer(application) as server:
        url = str(server.make_url("/"))
        headers = {"content-type": "text/html"}
        page = SavedPage(url=url, status=200, headers=headers, body=f"<script>{script}</script>".encode())
        window = await browser.window(hosts=[server.make_url("/").authority])
        try:
            await serve_recorded(window.context, {url: page})
            await window.open([url])
            await window.context.pages[0].wait_for_function("document.title === 'closed'")
        finally:
            await window.close()
            await browser.close()
    assert asked == []


STARTS = (
    {"start_url": "__REDDIT__", "sites": ["reddit"]},
    {"start_url": "__GITLAB__", "sites": ["gitlab"]},
    {"start_url": "__SHOPPING__", "sites": ["shopping"]},
    {"start_url": "__SHOPPING__/LMP-1210.html |AND| __REDDIT__", "sites": ["shopping", "reddit"]},
)


@pytest.fixture
def tasks_to_wander(tmp_path: Path) -> Path:
    return tasks_file(tmp_path, *STARTS)


@pytest.mark.parametrize("walks", [range(6), pytest.param(range(6, 60), marks=pytest.mark.slow)])
async def test_sessions_that_wandered_are_restored_and_go_on_alike(walks: range, tasks_to_wander: Path) -> None:
    async with world_of(tasks_to_wander) as world:
        for walk in walks:
            await wander_and_restore(world, walk)


async def wander_and_restore(world: WebArena, walk: int) -> None:
    """Wander, restore what is reached, and wander on in both."""
    chance, task = Random(walk), named(walk % len(STARTS))
    session = await world.open(task)
    taken = await wander(session, chance.randrange(9), chance)
    actions = [action for action, _ in taken]
    snapshot = await session.snapshot()
    restored = await world.restore(task, snapshot)
    assert restored.observation == session.observation, (walk, actions)
    assert restored.opening == session.opening
    assert await restored.snapshot() == snapshot, (walk, actions)
    await go_on_alike(session, restored, chance, (walk, actions))
    for each in (session, restored):
        await each.close()


async def go_on_alike(one: WebSession, other: WebSession, chance: Random, before: object) -> None:
    """Take the same actions in both."""
    taken: list[str] = []
    for _ in range(6):
        taken.append(any_action(one.observation, chance))
        outcomes = [await session.step(taken[-1]) for session in (one, other)]
        assert outcomes[0] == outcomes[1], (before, taken)
        if outcomes[0].done:
            break
    snapshots = [await session.snapshot() for session in (one, other)]
    assert snapshots[0] == snapshots[1], (before, taken)


async def test_what_was_typed_and_not_sent_is_restored(tasks_to_wander: Path) -> None:
    async with world_of(tasks_to_wander) as world:
        session = await world.open(named())
        field = number_of(session.observation, "(?:searchbox|textbox)", "Search")
        typed = await session.step(f"type [{field}] [salt and thyme] [0]")
        restored = await world.restore(named(), await session.snapshot())
        assert restored.observation == typed.observation
        assert "salt and thyme" in restored.observation
