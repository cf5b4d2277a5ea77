"""One live session of a task: a window on its sites, and how far it has come."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.actions import (
    BrowserAction,
    Click,
    CloseTab,
    GoTo,
    Hover,
    Press,
    Type,
    UnreadableAction,
    WebStop,
    read_web_action,
    web_action_text,
)
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.browser.keys import clipboard_use
from quintet.environments.webarena.browser.tabs import TabState
from quintet.environments.webarena.evaluators.evaluate import evaluate_task
from quintet.environments.webarena.evaluators.functions import EndedSession
from quintet.environments.webarena.progress import (
    SeenPage,
    WebProgress,
    WebSnapshot,
    WebStep,
    look,
    page_digest,
    real_tab,
    shown_tab,
    stop_reason,
)
from quintet.environments.webarena.provision.port import SessionSites
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, WebTask
from quintet.environments.webarena.tasks.walks import Walk, advise
from quintet.environments.webarena.verified.tasks import evaluate_by_package
from quintet.environments.webarena.verified.trace import NetworkTrace
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState
from quintet.ports.world import AnswerToGrade, Opening, Outcome

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window

WEB_TASK_ENDED: Final = "The task has ended."
"""What is seen after `stop`."""


class SessionTask(Struct, frozen=True, kw_only=True):
    """The part that all sessions of a task share."""

    task: Task
    web_task: WebTask
    walk: Walk | None
    max_steps: int
    observation_chars: int
    pictures: bool
    verified: bool
    """Whether the package `webarena-verified` evaluates it."""


class WebSession(AsyncState):
    """A session in a window of its own, until it is closed.

    `begin` comes first, or `resume`; `repeat` follows `begin`.

    Args:
        keeps_changes: whether what is sent to the sites stays there.
        restore: makes a session of a snapshot, for forks.
    """

    def __init__(
        self,
        start: SessionTask,
        sites: SessionSites,
        window: "Window",
        *,
        keeps_changes: bool,
        restore: "RestoreSession",
    ) -> None:
        self._start = start
        self._sites = sites
        self._window = window
        self._keeps_changes = keeps_changes
        self._restore = restore
        self._trace: NetworkTrace | None = None
        self._now = WebProgress()
        self._touched = False
        """Something was done to the page that its address does not bring back, perhaps."""
        self._hidden = False
        self._picture = b""
        self._closing: asyncio.Future[None] | None = None

    @property
    def opening(self) -> Opening:
        goal = self._start.web_task.intent.strip().rstrip(".!?").rstrip()
        return Opening(observation=f"{self._setting}\n\nOBJECTIVE: {goal}", setting=self._setting, goal=goal)

    @property
    def observation(self) -> str:
        return self.opening.observation if self._now.last is None else self._now.last

    @property
    def addresses(self) -> SiteAddresses:
        return self._sites.addresses

    @property
    def picture(self) -> bytes:
        return self._picture

    async def begin(self) -> None:
        """Open the task's first pages."""
        addresses = self._sites.addresses
        starts = addresses.starts(self._start.web_task.start_url)
        if self._start.verified:
            self._trace = NetworkTrace(self._window.context)
        try:
            await self._window.open(starts)
        except WorldFault as error:
            site = addresses.site_of(starts[0])
            raise WorldFault(f"{site}: expected a page at {starts[0]}, got none: {error}") from error
        self._seen = await self._look()
        note = self._sites.note
        self._setting = f"{note}\n{self._seen.observation}" if note else self._seen.observation

    async def step(self, action: str) -> Outcome:
        if self._now.verdict is not None:
            return self._outcome(WEB_TASK_ENDED, rejected=True)
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        taken = WebStep(action, self._seen.captured.url)
        self._now = replace(self._now, steps=(*self._now.steps, taken))
        try:
            wanted = read_web_action(action)
        except UnreadableAction as error:
            return await self._after(str(error), lasting=False)
        if isinstance(wanted, WebStop):
            return replace(await self._end(WEB_TASK_ENDED, answer=wanted.answer), final_answer=True)
        self._window.clear_changes()
        refused = await self._carry_out(wanted)
        sent = self._window.sent_changes
        return await self._after(refused, lasting=sent and self._keeps_changes)

    async def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        """The outcome of the last step with the judge's verdicts."""
        self._now = replace(self._now, verdicts=verdicts)
        return self._outcome(self.observation, rejected=False)

    async def expert(self) -> tuple[str, ...] | None:
        """What the task's walk says to do next, as `advise` of the world does."""
        if self._now.verdict is not None:
            return ()
        walk, done = self._start.walk, [step.action for step in self._now.steps if not step.refused]
        return None if walk is None else advise(walk, done, self.observation)

    async def naive(self) -> tuple[str, ...]:
        """Say at once that the task cannot be done."""
        return () if self._now.verdict is not None else (web_action_text(WebStop(NOT_ACHIEVABLE)),)

    async def fork(self) -> "WebSession":
        return await self._restore(self._start.task, await self.snapshot())

    async def snapshot(self) -> bytes:
        addresses = self._sites.addresses
        held = WebSnapshot(
            opening=self._setting,
            progress=self._now,
            digest=self._digest(),
            hidden=self._hidden,
            tabs=tuple(shown_tab(tab, addresses) for tab in self._window.tabs),
            current=self._window.current,
            cookies=self._sites.shown_cookies(await self._window.cookies()),
            changes=self._sites.changes(),
        )
        return msgspec.msgpack.encode(held)

    async def resume(self, held: WebSnapshot) -> bool:
        """Show what a snapshot holds; whether the page is as it was."""
        tabs = [real_tab(tab, self._sites.addresses) for tab in held.tabs]
        await self._window.restore(tabs, held.current, self._sites.real_cookies(held.cookies))
        self._seen = await self._look()
        return self._take(held)

    async def repeat(self, held: WebSnapshot) -> bool:
        """Take the actions of a snapshot again, from the task's opening on; whether the page is as it was."""
        for taken in held.progress.steps:
            try:
                wanted = read_web_action(taken.action)
            except UnreadableAction:
                continue
            if not isinstance(wanted, WebStop):
                await self._carry_out(wanted)
        return self._take(held)

    async def close(self) -> None:
        """Close the window, and give the sites back, even if the caller is cancelled. A second call has no effect."""
        self._closing = self._closing or asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            await self._window.close()
        finally:
            self._sites.close()

    async def _look(self) -> SeenPage:
        seen = await look(self._window, self._sites.addresses, self._start.observation_chars)
        if self._start.pictures:
            self._picture = await self._window.picture()
        return seen

    async def _carry_out(self, wanted: BrowserAction) -> str:
        """Carry an action out, and look at the page; empty, or why it could not be."""
        before = self._window.tabs, self._window.current
        if isinstance(wanted, GoTo):
            real = self._sites.addresses.real(wanted.url)
            if real is None:
                return f"goto: expected an address on one of the sites, got {wanted.url}"
            wanted = GoTo(real)
        refused = await self._window.carry_out(wanted, self._seen.tree.elements)
        if refused:
            return self._sites.addresses.shown(refused)
        self._seen = await self._look()
        self._touch(wanted, *before)
        return ""

    def _touch(self, done: BrowserAction, tabs: tuple[TabState, ...], current: int) -> None:
        """Remember whether the tabs' addresses still say all of the session."""
        if isinstance(done, Press) and clipboard_use(done.keys) in ("copy", "cut"):
            self._hidden = True  # the window's clipboard is in no snapshot
        now = self._window.tabs
        moved = self._window.current != current or len(now) != len(tabs)
        if moved and self._touched and not isinstance(done, CloseTab):
            self._hidden = True  # in a tab that is not looked at now
        if moved or now[current].history != tabs[current].history or now[current].index != tabs[current].index:
            self._touched = False
        elif isinstance(done, Click | Hover | Type | Press):
            self._touched = True

    async def _after(self, refused: str, *, lasting: bool) -> Outcome:
        if refused:
            *before, last = self._now.steps
            self._now = replace(self._now, steps=(*before, replace(last, refused=True)))
        else:
            self._now = replace(self._now, last=self._seen.observation)
        said = refused or self._seen.observation
        stopped = stop_reason(self._now.steps, self._start.max_steps)
        if not stopped:
            return self._outcome(said, rejected=bool(refused), lasting=lasting)
        said = f"{said}\n\n{WEB_TASK_ENDED.removesuffix('.')}: {stopped}."
        return await self._end(said, answer="", rejected=bool(refused), lasting=lasting)

    async def _end(self, said: str, *, answer: str, rejected: bool = False, lasting: bool = False) -> Outcome:
        task, sites = self._start.web_task, self._sites
        if self._trace is None:
            verdict = await evaluate_task(task, answer, EndedSession(self._window, sites.facts, sites.addresses))
        else:
            verdict = evaluate_by_package(task, answer, await self._trace.entries(), sites.addresses)
        self._now = replace(self._now, verdict=verdict, last=self._now.last if rejected else said)
        return self._outcome(said, rejected=rejected, lasting=lasting, to_grade=verdict.to_grade)

    def _outcome(
        self, said: str, *, rejected: bool, lasting: bool = False, to_grade: tuple[AnswerToGrade, ...] = ()
    ) -> Outcome:
        return Outcome(
            observation=said,
            reward=self._now.reward,
            done=self._now.verdict is not None,
            rejected=rejected,
            lasting=lasting,
            to_grade=to_grade,
        )

    def _take(self, held: WebSnapshot) -> bool:
        """Go on where a snapshot was taken, in the words of now if the page is not as it was."""
        self._setting, self._now, self._hidden = held.opening, held.progress, held.hidden
        same = self._digest() == held.digest
        if not same and self._now.verdict is None:
            self._now = replace(self._now, last=self._seen.observation)
        return same

    def _digest(self) -> bytes:
        return page_digest(self._seen, self._sites.addresses)


RestoreSession: TypeAlias = Callable[[Task, bytes], Coroutine[Any, Any, WebSession]]
