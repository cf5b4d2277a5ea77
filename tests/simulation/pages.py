"""A world like a web site: slow, with few places; it keeps what was done to it, and its process may end.

All its sessions, on all hosts, act on the one site.
"""

import asyncio
from collections.abc import Awaitable, Callable

from quintet.environments.adapters.plain import as_world
from quintet.errors import ProcessLost, WorldFault
from quintet.messages.environment import Task
from quintet.messages.paths import Path, episode_of, episode_path
from quintet.messages.solving import Solve
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import Opening, Outcome
from quintet.roles.context import current
from quintet.runtime.incarnation import Planned
from quintet.runtime.spec import RunSpec
from tests.simulation.scenes import spec_of

TASKS = ("cart", "forum", "issue", "order", "review", "wiki")
CLICKS = 3


class Page(AsyncState):
    """A session: three clicks end its task. Each shows how often anybody has clicked."""

    def __init__(self, site: "Site", task: Task, episode: Path, clicks: int = 0) -> None:
        self._site = site
        self._task = task
        self.episode = episode
        self.clicks = clicks
        self.observation = self.opening.observation
        self.process = site.process

    @property
    def opening(self) -> Opening:
        setting, goal = 'A page. "click" clicks.', f"see to the {self._task.name}"
        return Opening(observation=f"{setting} Goal: {goal}.", setting=setting, goal=goal)

    async def step(self, action: str) -> Outcome:
        self._site.check(self)
        await asyncio.sleep(self._site.seconds)
        self._site.check(self)
        rejected = action != "click" or self.clicks >= CLICKS
        if not rejected:
            self.clicks += 1
            self._site.clicks += 1
            self._site.log.append(("click", self.episode))
            self.observation = f"{self.clicks} clicks of yours, {self._site.shown()}."
        done = self.clicks >= CLICKS
        return Outcome(
            observation=self.observation, reward=float(done), done=done, rejected=rejected, lasting=not rejected
        )

    async def admissible(self) -> tuple[str, ...] | None:
        return () if self.clicks >= CLICKS else ("click",)

    async def expert(self) -> tuple[str, ...] | None:
        self._site.check(self)
        return ("click",) * min(1, CLICKS - self.clicks)

    async def snapshot(self) -> bytes:
        return bytes([self.clicks])

    async def close(self) -> None:
        await asyncio.sleep(self._site.closing)
        self._site.pages.discard(self)


class Site(AsyncWorld):
    """Click on pages.

    Args:
        repeats: whether pages show nothing of what others did.
        places: sessions a host.
        goes_back: whether snapshots lead back to pages.
        seconds: that a step takes.
        closing: seconds that the end of a session takes.
    """

    name, exact = "site", False

    def __init__(
        self,
        *,
        repeats: bool = False,
        places: int = 2,
        goes_back: bool = True,
        seconds: float = 1.0,
        closing: float = 0.5,
    ) -> None:
        self.repeats, self.places, self.goes_back = repeats, places, goes_back
        self.seconds, self.closing = seconds, closing
        self.clicks = 0
        self.process = 0
        """Its number; those before it have ended."""
        self.pages: set[Page] = set()
        """The sessions that are not closed."""
        self.log: list[tuple[str, Path]] = []
        """What happened, to which episode."""
        self.on_open: Callable[[], None] = lambda: None
        self.on_reset: Callable[[], Awaitable[None]] | None = None
        self.resetting = False

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return TASKS

    async def open(self, task: Task) -> Page:
        return await self._open(task, 0)

    async def restore(self, task: Task, snapshot: bytes) -> Page:
        self.check_task(task.name)
        if len(snapshot) != 1 or snapshot[0] > CLICKS:
            raise WorldFault("snapshot: expected the number of clicks, got something else")
        return await self._open(task, snapshot[0])

    async def _open(self, task: Task, clicks: int) -> Page:
        self.check_task(task.name)
        assert not self.resetting, "a session opens while the site is reset"
        page = Page(self, task, episode_of(current().path), clicks)
        self.pages.add(page)
        self.log.append(("open", page.episode))
        self.on_open()
        try:
            await asyncio.sleep(self.seconds / 2)
        except asyncio.CancelledError:
            self.pages.discard(page)
            raise
        return page

    async def reset(self) -> None:
        self.resetting = True
        if self.on_reset is not None:
            await self.on_reset()
        await asyncio.sleep(5)
        self.clicks = 0
        self.log.append(("reset", Path("")))
        self.resetting = False

    def end_process(self) -> None:
        """The process of all its sessions dies, and another one takes its place."""
        self.process += 1

    def check(self, page: Page) -> None:
        """Raise if the process of a page has ended."""
        if page.process != self.process:
            raise ProcessLost(f"{self.name}: the process of {page.episode} ended")

    def shown(self) -> str:
        return "as ever" if self.repeats else f"{self.clicks} in all"


def site_spec(site: Site) -> RunSpec:
    """The expert on a site."""
    return spec_of(Expert(ExpertConfig()), {}, world=as_world(site))


def visits_of(spec: RunSpec, tasks: tuple[str, ...] = TASKS) -> list[Planned]:
    """One episode a task."""
    return [Planned(episode_path(task, 0, 0), Solve(task=spec.task(task, 0))) for task in tasks]
