"""`quintet record webarena`: plays a session and keeps its pages and pictures in a file."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag

from msgspec.structs import replace

from quintet.environments.data_commands import DataSummary
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.recording.archive import (
    PageRecording,
    SavedPage,
    SavedStep,
    write_recording,
)
from quintet.environments.webarena.tasks.schema import web_task_name
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.plugins.files import read_limited

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Response

    from quintet.environments.webarena.session import WebSession
    from quintet.environments.webarena.world import WebArena

_STANDARD_INPUT = Path("-")
_LARGEST = 2**20
"""Bytes of a file of actions."""
_KEPT_HEADERS: Final = ("content-type", "location")
_REDIRECTS: Final = range(300, 400)


def record_session(
    *,
    task: str,
    out: Path,
    actions: Path | None = None,
    tasks: Path | None = None,
    sites: Path | None = None,
    chromium: Path | None = None,
) -> DataSummary:
    """Keep the pages and the pictures of one session.

    Args:
        task: its name, or its number alone.
        out: the file; one that is there is replaced.
        actions: one a line, `-` to type them; without it the task's walk is followed.
        tasks: a file of tasks; without it ours.
        sites: a file of addresses and accounts; without it our own sites.
        chromium: the browser; without it the one that is installed.
    """
    from quintet.environments.webarena.world import WebArena

    task = web_task_name(task) if task.isdecimal() else task
    world = WebArena(tasks, sites=sites, chromium=chromium, pictures=True)
    recording = asyncio.run(_record(world, Task(name=task, seed=0), actions))
    write_recording(out, recording)
    addresses = SiteAddresses(recording.addresses)
    kept = Counter(addresses.site_of(page.url) or "other" for page in recording.pages)
    acted = len(recording.steps) - 1
    return DataSummary(
        title="pages kept",
        rows_are="site",
        counts={site: {"pages": count} for site, count in sorted(kept.items())},
        notes=(
            f"task {task}: {acted} {'action' if acted == 1 else 'actions'}, reward {recording.reward:g}",
            f"{out}; --set environment.pages={out} serves its pages",
        ),
    )


async def _record(world: "WebArena", task: Task, actions: Path | None) -> PageRecording:
    keepers: list[PageKeeper] = []
    try:
        session = await world.open(task, watch=lambda context: keepers.append(PageKeeper(context)))
        try:
            steps, reward = await _play(session, actions)
            pages = await keepers[0].pages()
            addresses = session.addresses.bases
        finally:
            await session.close()
    finally:
        await world.aclose()
    return PageRecording(
        task=task.name,
        seed=task.seed,
        addresses=addresses,
        reward=reward,
        pages=tuple(page for _, page in sorted(pages.items())),
        steps=tuple(steps),
    )


async def _play(session: "WebSession", actions: Path | None) -> tuple[list[SavedStep], float]:
    steps = [SavedStep(action="", observation=session.observation, picture=session.picture)]
    reward = 0.0
    async for action in _walk(session) if actions is None else _given(session, actions):
        outcome = await session.step(action)
        reward = outcome.reward
        steps.append(SavedStep(action=action, observation=outcome.observation, picture=session.picture))
        if outcome.done:
            break
    return steps, reward


async def _walk(session: "WebSession") -> AsyncIterator[str]:
    while advised := await session.expert():
        yield advised[0]
    if advised is None:
        raise UsageError("actions: expected --actions FILE, since the task has no walk from here, got none (webarena)")


async def _given(session: "WebSession", actions: Path) -> AsyncIterator[str]:
    if actions != _STANDARD_INPUT:
        for line in _read_actions(actions):
            yield line
        return
    while True:
        sys.stdout.write(f"{session.observation}\n> ")
        sys.stdout.flush()
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        yield line.rstrip("\n")


def _read_actions(file: Path) -> list[str]:
    try:
        lines = read_limited(file, _LARGEST).decode().splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(f"actions: expected a file with an action a line, got {error} ({file})") from error
    return [line for line in lines if line.strip()]


class PageKeeper:
    """Keeps the answer to the first GET of each address."""

    def __init__(self, context: "BrowserContext") -> None:
        self._pages: dict[str, SavedPage] = {}
        self._reading: set[asyncio.Task[None]] = set()
        context.on("response", self._keep)

    async def pages(self) -> dict[str, SavedPage]:
        """By address, in the order in which they were asked for first."""
        while self._reading:
            await asyncio.gather(*self._reading)
        return dict(self._pages)

    def _keep(self, response: "Response") -> None:
        url = urldefrag(response.url).url
        if response.request.method != "GET" or url in self._pages or not url.startswith("http"):
            return
        headers = {name: value for name, value in response.headers.items() if name.lower() in _KEPT_HEADERS}
        self._pages[url] = SavedPage(url=url, status=response.status, headers=headers)
        if response.status not in _REDIRECTS:
            reading = asyncio.get_running_loop().create_task(self._read(url, response))
            self._reading.add(reading)
            reading.add_done_callback(self._reading.discard)

    async def _read(self, url: str, response: "Response") -> None:
        from playwright.async_api import Error

        page = self._pages[url]
        try:
            body = await response.body()
        except Error:
            return  # the tab left the page before it was there
        self._pages[url] = replace(page, body=body)
