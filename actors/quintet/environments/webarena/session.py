"""One live session of a task: a window on its sites, and how far it has come."""

import asyncio
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.actions import (
    Click,
    CloseTab,
    GoTo,
    Hover,
    Press,
    Type,
    UnreadableAction,
    WebAction,
    WebStop,
    read_web_action,
    web_action_text,
)
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.browser.tabs import TabState
from quintet.environments.webarena.session_window import SessionWindow
from quintet.environments.webarena.evaluators.evaluate import evaluate_task
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.observation.page_text import page_text
from quintet.environments.webarena.observation.tree import PageTree, read_tree
from quintet.environments.webarena.provision.port import SessionSites
from quintet.environments.webarena.snapshot import (
    WEB_SNAPSHOTS,
    WebProgress,
    WebSnapshot,
    page_digest,
    real_tab,
    shown_tab,
)
from quintet.environments.webarena.stops import WebStep, stop_reason
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, WebTask
from quintet.environments.webarena.tasks.walks import StepNotHere, Walk, resolve_step
from quintet.messages.environment import Task
from quintet.ports.world import AnswerToGrade, Opening, Outcome

ENDED: Final = "The task has ended."
"""What is seen after `stop`."""


class SessionTask(Struct, frozen=True, kw_only=True):
    """The part that all sessions of a task share."""

    task: Task
    version: str
    web_task: WebTask
    walk: Walk | None
    max_steps: int
    observation_chars: int
    pictures: bool


class SeenPage(Struct, frozen=True, kw_only=True):
    """The page of the current tab, as it was captured last, with the addresses that models see."""

    captured: CapturedPage
    tree: PageTree
    text: str
    """With tabs and address."""
    notes: tuple[str, ...]
    """What happened besides the action, such as a dialog."""

    @property
    def observation(self) -> str:
        return "\n".join((*self.notes, self.text))


class WebSession:
    """A session in a window of its own. It is closed with `close`, or when nobody holds it any longer.

    One of `begin`, `resume` and `begin` with `repeat` comes first.

    Args:
        start: the task.
        sites: those of this session.
        window: that shows them.
        keeps_changes: whether what is sent to the sites stays there.
        restore: makes a session of a snapshot, for forks.
    """

    def __init__(
        self, start: SessionTask, sites: SessionSites, window: SessionWindow, *, keeps_changes: bool, restore: "RestoreSession"
    ) -> None:
        self._start = start
        self._sites = sites
        self._window = window
        self._keeps_changes = keeps_changes
        self._restore = restore
        self._now = WebProgress()
        self._touched = False
        """Something was done to the page that its address does not bring back, perhaps."""
        self._hidden = False
        self._picture = b""
        self._closing = weakref.finalize(self, _close_later, asyncio.get_running_loop(), sites, window)
        self._closing.atexit = False

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
        await self._window.open(self._sites.addresses.starts(self._start.web_task.start_url))
        self._seen = await self._look()
        note = self._sites.note
        self._setting = f"{note}\n{self._seen.observation}" if note else self._seen.observation

    async def step(self, action: str) -> Outcome:
        if self._now.verdict is not None:
            return self._outcome(ENDED, rejected=True)
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        taken = WebStep(action, self._seen.captured.url)
        self._now = replace(self._now, steps=(*self._now.steps, taken))
        try:
            wanted = read_web_action(action)
        except UnreadableAction as error:
            return await self._after(str(error), lasting=False)
        if isinstance(wanted, WebStop):
            return await self._end(ENDED, answer=wanted.answer)
        walked = self._walked(wanted)
        self._window.clear_changes()
        refused = await self._carry_out(wanted)
        sent = self._window.sent_changes
        self._now = replace(self._now if refused else walked, sent=self._now.sent or sent)
        return await self._after(refused, lasting=sent and self._keeps_changes)

    async def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        """The outcome of the last step with the judge's verdicts."""
        self._now = replace(self._now, verdicts=verdicts)
        return self._outcome(self.observation, rejected=False)

    async def admissible(self) -> tuple[str, ...] | None:
        return None  # elements, texts and addresses are too many

    async def expert(self) -> tuple[str, ...] | None:
        """The next action of the task's walk: those after it name elements of pages that are not open yet.

        Where something else was done the walk begins anew at the task's first page, if nothing was sent yet.
        """
        if self._now.verdict is not None:
            return ()
        action = self._next_action()
        return None if action is None else (web_action_text(action),)

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
        return WEB_SNAPSHOTS.encode(self._start.task, self._start.version, held)

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
        """Close the window, and give the sites back. A second call has no effect."""
        if self._closing.detach() is not None:
            await asyncio.shield(_close(self._sites, self._window))

    async def _look(self) -> SeenPage:
        """Capture the page of the current tab."""
        shown = self._sites.addresses.shown
        page = await self._window.capture()
        found = read_tree(page)
        # The addresses are exchanged before the text is cut: those of a session's own sites differ in length.
        tree = PageTree(text=shown(found.text), elements=found.elements)
        titles = [shown(tab.title) for tab in self._window.tabs]
        captured = replace(page, url=shown(page.url))
        text = f"{page_text(titles, self._window.current, tree, self._start.observation_chars)}\nURL: {captured.url}"
        if self._start.pictures:
            self._picture = await self._window.picture()
        return SeenPage(captured=captured, tree=tree, text=text, notes=tuple(map(shown, self._window.notes())))

    async def _carry_out(self, wanted: WebAction) -> str:
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

    def _touch(self, done: WebAction, tabs: tuple[TabState, ...], current: int) -> None:
        """Remember whether the tabs' addresses still say all of the session."""
        now = self._window.tabs
        moved = self._window.current != current or len(now) != len(tabs)
        if moved and self._touched and not isinstance(done, CloseTab):
            self._hidden = True  # in a tab that is not looked at now
        if moved or now[current].history != tabs[current].history or now[current].index != tabs[current].index:
            self._touched = False
        elif isinstance(done, Click | Hover | Type | Press):
            self._touched = True

    async def _after(self, refused: str, *, lasting: bool) -> Outcome:
        """The outcome of an action that was tried."""
        if not refused:
            self._now = replace(self._now, last=self._seen.observation)
        said = refused or self._seen.observation
        stopped = stop_reason(self._now.steps, self._start.max_steps)
        if not stopped:
            return self._outcome(said, rejected=bool(refused), lasting=lasting)
        said = f"{said}\n\n{ENDED.removesuffix('.')}: {stopped}."
        return await self._end(said, answer="", rejected=bool(refused), lasting=lasting)

    async def _end(self, said: str, *, answer: str, rejected: bool = False, lasting: bool = False) -> Outcome:
        sites = self._sites
        verdict = await evaluate_task(
            self._start.web_task, answer=answer, page=self._window, facts=sites.facts, addresses=sites.addresses
        )
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

    def _next_action(self) -> WebAction | None:
        """The walk's next action here; None: there is no walk, or it leads nowhere from here."""
        walk, now, addresses = self._start.walk, self._now, self._sites.addresses
        if walk is None:
            return None
        if now.strayed:
            start = addresses.starts(self._start.web_task.start_url)[0]
            return None if now.sent else GoTo(addresses.shown(start))
        try:
            return read_web_action(resolve_step(walk[now.walked], self._seen.tree, addresses))
        except StepNotHere:
            return None

    def _walked(self, done: WebAction) -> WebProgress:
        """How far the walk is once an action is done."""
        now = self._now
        if self._start.walk is None:
            return now
        if done != self._next_action():
            return replace(now, strayed=True)
        return replace(now, strayed=False, walked=0 if now.strayed else now.walked + 1)

    def _take(self, held: WebSnapshot) -> bool:
        """Go on where a snapshot was taken, in the words of now if the page is not as it was."""
        self._setting, self._now, self._hidden = held.opening, held.progress, held.hidden
        same = self._digest() == held.digest
        if not same and self._now.verdict is None:
            self._now = replace(self._now, last=self._seen.observation)
        return same

    def _digest(self) -> bytes:
        return page_digest(self._seen.captured, self._seen.text, self._sites.addresses)


RestoreSession: TypeAlias = Callable[[Task, bytes], Coroutine[Any, Any, WebSession]]

_CLOSINGS: Final[set[asyncio.Task[None]]] = set()
"""What runs is held: a loop holds its tasks weakly."""


async def _close(sites: SessionSites, window: SessionWindow) -> None:
    try:
        await window.close()
    finally:
        sites.close()


def _close_later(loop: asyncio.AbstractEventLoop, sites: SessionSites, window: SessionWindow) -> None:
    """Close what a session held that nobody holds any longer, in any thread."""

    def close() -> None:
        closing = loop.create_task(_close(sites, window))
        _CLOSINGS.add(closing)
        closing.add_done_callback(_CLOSINGS.discard)

    if not loop.is_closed():
        loop.call_soon_threadsafe(close)
