"""WebArena as a world: its tasks, its sites, and the browser of a host."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal

import msgspec

from quintet.environments.data_commands import DataCommand
from quintet.environments.options import check_positive
from quintet.environments.webarena.accounts.sites_file import read_sites_file
from quintet.environments.webarena.actions import WebStop, web_action_text
from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.host_browser import HostBrowser
from quintet.environments.webarena.observation.page_text import PAGE_CHARACTERS
from quintet.environments.webarena.progress import MAX_STEPS, WebSnapshot
from quintet.environments.webarena.provision.own import OwnSites
from quintet.environments.webarena.provision.port import SiteProvider
from quintet.environments.webarena.provision.recorded import RecordedSites
from quintet.environments.webarena.provision.users import UserSites, read_reset
from quintet.environments.webarena.recording.archive import read_recording
from quintet.environments.webarena.recording.record import record_session
from quintet.environments.webarena.session import SessionTask, WebSession
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.tasks.walks import advise
from quintet.environments.webarena.verified.package import verified_version
from quintet.environments.webarena.verified.tasks import verified_library
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncWorld
from quintet.ports.effects import Effect

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_RULES: Final = "2"
_PAUSE: Final = 3.0
"""Seconds that evaluators wait after going to a page of a user's sites, as the released ones do."""
_NEEDED: Final = ("playwright", "jinja2")


class WebArena(AsyncWorld):
    """Tasks on web sites, in a real browser.

    Args:
        tasks: a file in WebArena's own schema; None: 26 tasks on sites of our own.
        sites: a file of addresses and accounts of the user's sites; None: our own.
        reset: a command that brings the user's sites to their beginning, which no shell reads; True: none is needed.
        places: sessions of a host at a time.
        max_steps: the action after which the task ends.
        pages: a file of recorded pages, which are served in place of sites.
        pictures: whether each step's page is kept as a picture, for people.
        chromium: the browser; None: `$CHROMIUM`, or the one that is installed.
        observation_chars: the most characters of a page that are shown.
        evaluators: `verified`: the tasks and evaluators of the package `webarena-verified`, on the user's sites.

    Raises:
        UsageError: an option is wrong, a file cannot be used, or the extra `web` is not installed.

    Source: Zhou et al. (2024). Differs: README.md.
    """

    name = "webarena"
    variables: ClassVar[Mapping[str, str]] = {"tasks": "WEBARENA_TASKS", "sites": "WEBARENA_SITES"}
    record_command: ClassVar[DataCommand] = staticmethod(record_session)
    prompt_folder = Path(__file__).parent / "prompts"
    goes_back = True
    needs_judge = False
    """Tasks that need one are left out of a run without (see `refusal`)."""
    counts_rejections = True
    """Each action counts towards the published stops."""
    opens_on_page = True

    def __init__(
        self,
        tasks: Annotated[Path | str | None, Effect.LOADS] = None,
        *,
        sites: Annotated[Path | str | None, Effect.VISITS] = None,
        reset: Annotated[str | bool | None, Effect.RUNS] = None,
        places: int = 4,
        max_steps: int = MAX_STEPS,
        pages: Annotated[Path | str | None, Effect.LOADS] = None,
        pictures: bool = False,
        chromium: Annotated[Path | str | None, Effect.RUNS] = None,
        observation_chars: int = PAGE_CHARACTERS,
        evaluators: Literal["released", "verified"] = "released",
    ) -> None:
        missing = [name for name in _NEEDED if find_spec(name) is None]
        if missing:
            expected = "expected the extra `web`: pip install quintet-agents[web]"
            raise UsageError(f"webarena: {expected}, got no {' and no '.join(missing)}")
        for option, given in (("places", places), ("max_steps", max_steps), ("observation_chars", observation_chars)):
            check_positive(option, given, self.name)
        if reset not in (None, False) and sites is None:
            raise UsageError("reset: expected environment.sites beside it, got none (webarena)")
        if pages is not None and sites is not None:
            raise UsageError("pages: expected no environment.sites beside it, got both (webarena)")
        self._verified = evaluators == "verified"
        if self._verified:
            _check_verified(tasks, sites)
        self._library = verified_library() if self._verified else open_library(None if tasks is None else Path(tasks))
        pause = 0.0 if sites is None else _PAUSE
        self._browser = HostBrowser(None if chromium is None else Path(chromium), pause=pause)
        self._provider: SiteProvider = self._provide(sites, reset, pages)
        copies = self._provider.copies
        self.version = (
            f"{_RULES}+{self._provider.version}+{self._library.digest}+max_steps={max_steps}+chars={observation_chars}"
        )
        if self._verified:
            self.version += f"+verified={verified_version()}"
            self.goes_back = False  # a snapshot does not hold what was sent
        self.forks = "replay" if copies else "none"
        self.exact = copies
        self.repeats = not self._provider.keeps_changes
        self.places = places
        self.splits = tuple(self._library.splits)
        self._max_steps = max_steps
        self._pictures = pictures
        self._observation_chars = observation_chars

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return self._library.splits[split]

    def metadata(self, task: str) -> Mapping[str, str]:
        return self._library.metadata(task)

    def answer_action(self, answer: str) -> str:
        return web_action_text(WebStop(answer))

    def lacking(self) -> str:
        return self._browser.lacking()

    def refusal(self, task: str, *, judged: bool) -> str:
        """Why a task is left out: it needs a judge, a site that is not there, or pages that were not recorded."""
        return self._provider.refusal(task) or self._library.refusal(task, judged=judged, sites=self._provider.names)

    async def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        """What a task's walk says to do next; None: it has none, or it leads nowhere from here."""
        walk = self._library.walks.get(task.name)
        return None if walk is None else advise(walk, actions, observation)

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Start the browser; reach the sites of these tasks, and log in to them."""
        sites: set[SiteName] = {site for task in tasks for site in self._library.find(task).sites}
        try:
            await self._browser.browser.start()
            await self._provider.reach(sites)
        except WorldFault as fault:
            raise UsageError(str(fault)) from fault

    async def open(self, task: Task, watch: "Callable[[BrowserContext], None] | None" = None) -> WebSession:
        """The session in which a task begins, in a new window, which `watch` gets first. The seed has no effect."""
        session = await self._session(self._start(task), watch=watch)
        try:
            await session.begin()
        except BaseException:
            await session.close()
            raise
        return session

    async def restore(self, task: Task, snapshot: bytes) -> WebSession:
        start = self._start(task)
        held = msgspec.msgpack.decode(snapshot, type=WebSnapshot)
        copies = self._provider.copies
        for repeats in (True,) if held.hidden and copies else (False, True):
            session = await (self.open(task) if repeats else self._session(start, held.changes))
            try:
                if await (session.repeat(held) if repeats else session.resume(held)) or not copies:
                    return session
            except BaseException:
                await session.close()
                raise
            await session.close()
        raise WorldFault(f"snapshot: expected the page that was seen, got another by the same actions ({task})")

    async def reset(self) -> None:
        await self._provider.reset()

    async def aclose(self) -> None:
        """End the browser and the server."""
        await self._browser.close()
        await self._provider.close()

    def _provide(self, sites: Path | str | None, reset: str | bool | None, pages: Path | str | None) -> SiteProvider:
        if pages is not None:
            return RecordedSites(read_recording(Path(pages)))
        if sites is not None:
            words = read_reset(reset)
            return UserSites(read_sites_file(Path(sites)), self._browser, words)
        return OwnSites()

    def _start(self, task: Task) -> SessionTask:
        return SessionTask(
            task=task,
            web_task=self._library.find(task.name),
            walk=self._library.walks.get(task.name),
            max_steps=self._max_steps,
            observation_chars=self._observation_chars,
            pictures=self._pictures,
            verified=self._verified,
        )

    async def _session(
        self, start: SessionTask, changes: bytes | None = None, watch: "Callable[[BrowserContext], None] | None" = None
    ) -> WebSession:
        try:
            sites = await self._provider.open(start.web_task.sites, changes)
            try:
                window = await self._browser.browser.window(
                    hosts=sites.addresses.hosts, storage_state=sites.storage_state
                )
            except BaseException:
                sites.close()
                raise
        except UsageError as error:  # known on this host only: no Chromium, no password
            raise WorldFault(f"webarena: {error}") from error
        session = WebSession(start, sites, window, keeps_changes=self._provider.keeps_changes, restore=self.restore)
        try:
            async with window.calls():
                await sites.furnish(window.context)
            if watch is not None:
                watch(window.context)
        except BaseException:
            await session.close()
            raise
        return session


def _check_verified(tasks: Path | str | None, sites: Path | str | None) -> None:
    """Raise a `UsageError` unless the package is there, and what it evaluates: its own tasks, on WebArena's sites."""
    verified_version()
    where = "beside environment.evaluators=verified"
    if tasks is not None:
        raise UsageError(f"tasks: expected none {where}, which has tasks of its own, got {tasks} (webarena)")
    if sites is None:
        raise UsageError(
            f"sites: expected a file {where}, whose tasks are on WebArena's own sites, got none (webarena)"
        )
