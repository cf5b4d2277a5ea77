"""A session's pages are kept, and served again without their site."""

from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.provision.recorded import NOT_RECORDED, serve_recorded
from quintet.environments.webarena.recording.archive import SavedPage, read_recording
from quintet.environments.webarena.recording.record import record_session
from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import named, tasks_file, world_of

pytestmark = pytest.mark.web

ACTIONS = ("goto [http://reddit.com/search]", "goto [http://reddit.com/forums]", "stop []")


def test_a_session_is_kept_and_played_again(tmp_path: Path) -> None:
    tasks, pages, actions = tasks_file(tmp_path, {}), tmp_path / "pages.zip", tmp_path / "actions"
    actions.write_text("\n".join(ACTIONS), encoding="utf-8")
    summary = record_session(task="0", out=pages, actions=actions, tasks=tasks)
    assert summary.notes[0] == "task webarena-0: 3 actions, reward 1"
    recording = read_recording(pages)
    assert [step.action for step in recording.steps] == ["", *ACTIONS]
    assert all(step.picture.startswith(b"\xff\xd8") for step in recording.steps)
    in_loop(_play_again)(tasks, pages, [step.observation for step in recording.steps])


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


@in_loop
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
