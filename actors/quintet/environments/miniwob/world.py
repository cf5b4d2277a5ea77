"""MiniWoB++ as a world: its tasks, and the browser of a host."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from quintet.environments.content import content_digest
from quintet.environments.miniwob.package import miniwob_version, page_contents, page_names
from quintet.environments.miniwob.page import PAGE_HOST, TaskPage
from quintet.environments.miniwob.session import MiniwobSession, MiniwobSnapshot
from quintet.environments.miniwob.tasks import WITH_FEEDBACK, WITHOUT_FEEDBACK, task_kind
from quintet.environments.miniwob.walks import WALKED, next_action
from quintet.environments.options import check_positive
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.observation.page_text import PAGE_CHARACTERS
from quintet.environments.webarena.progress import MAX_STEPS
from quintet.environments.webarena.session import WEB_TASK_ENDED
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.plugins.extras import require_extra
from quintet.ports.async_world import AsyncWorld
from quintet.ports.effects import Effect
from quintet.ports.world import TASK_TYPE, Forks

_RULES: Final = "2"


class Miniwob(AsyncWorld):
    """Small tasks, each on one page in a real browser.

    Args:
        places: sessions of a host at a time.
        max_steps: the action after which the page's time is over.
        chromium: the browser; None: `$CHROMIUM`, or the one that is installed.
        observation_chars: the most characters of a page that are shown.

    Raises:
        PackageMissing: `miniwob` or the extra `web` is not installed.
        UsageError: an option is wrong.

    Source: Shi et al. (2017) and Liu et al. (2018), of whose package the pages are. Differs: README.md.
    """

    name = "miniwob"
    splits = ("adaplanner", "all")
    forks: Forks = "replay"
    opens_on_page = True
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(
        self,
        *,
        places: int = 4,
        max_steps: int = MAX_STEPS,
        chromium: Annotated[Path | str | None, Effect.RUNS] = None,
        observation_chars: int = PAGE_CHARACTERS,
    ) -> None:
        self._package = miniwob_version()
        require_extra("playwright", "web", self.name)
        for option, given in (("places", places), ("max_steps", max_steps), ("observation_chars", observation_chars)):
            check_positive(option, given, self.name)
        self._browser = HostBrowser(None if chromium is None else Path(chromium))
        self._max_steps = max_steps
        self._characters = observation_chars
        self._asked: dict[Task, str] = {}
        """What tasks ask for, of those that were advised about."""
        self.places = places
        self.version = f"{_RULES}+{self._package}+max_steps={max_steps}+chars={observation_chars}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return page_names() if split == "all" else (*WITHOUT_FEEDBACK, *WITH_FEEDBACK)

    def metadata(self, task: str) -> Mapping[str, str]:
        self.check_task(task)
        return {TASK_TYPE: task_kind(task)}

    def scores(self, task: str) -> tuple[str, ...]:
        return ("decayed",)

    def content(self, split: str) -> Mapping[str, str]:
        return {"pages": content_digest(tuple(page_contents(self.tasks(split)))), "package": self._package}

    def lacking(self) -> str:
        return self._browser.lacking()

    async def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        """What a task's walk says to do next; None: it has none. The first time, its page is opened for its goal."""
        if observation == WEB_TASK_ENDED:
            return ()
        if task.name not in WALKED:
            return None
        if task not in self._asked:
            session = await self.open(task)
            self._asked[task] = session.asked
            await session.close()
        return next_action(task.name, self._asked[task], actions, observation)

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Start the browser."""
        try:
            await self._browser.browser.start()
        except WorldFault as fault:
            raise UsageError(str(fault)) from fault

    async def open(self, task: Task) -> MiniwobSession:
        """The session in which a task begins, in a new window."""
        self.check_task(task.name)
        try:
            window = await self._browser.browser.window(hosts=[PAGE_HOST], quiet=0)
        except UsageError as error:  # known on this host only: no Chromium
            raise WorldFault(f"miniwob: {error}") from error
        session = MiniwobSession(
            task, TaskPage(window), max_steps=self._max_steps, characters=self._characters, restore=self.restore
        )
        try:
            await session.begin()
        except BaseException:
            await session.close()
            raise
        return session

    async def restore(self, task: Task, snapshot: bytes) -> MiniwobSession:
        """Repeat what was done in a new window; a `WorldFault` if these are no such bytes, or the page is another."""
        self.check_task(task.name)
        try:
            held = msgspec.msgpack.decode(snapshot, type=MiniwobSnapshot)
        except msgspec.DecodeError as error:
            raise WorldFault(f"snapshot: expected one of miniwob, got {error} ({task})") from error
        session = await self.open(task)
        try:
            for action in held.actions:
                await session.step(action)
            if await session.snapshot() == snapshot:
                return session
        except BaseException:
            await session.close()
            raise
        await session.close()
        raise WorldFault(f"snapshot: expected the page that was seen, got another by the same actions ({task})")

    async def aclose(self) -> None:
        """End the browser, unless another world uses it."""
        await self._browser.close()
