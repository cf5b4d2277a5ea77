"""A page of the package in a window: how its task begins, how its time passes, and what it says of the end."""

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from quintet.environments.miniwob.package import package_file, page_path, text_with_pictures
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.progress import SeenPage, look
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import Route

    from quintet.environments.webarena.browser.window import Window

PAGE_HOST: Final = "miniwob"
"""There is no such host: what is asked of it is answered from the package's files."""
STEP_SECONDS: Final = 1
"""That pass on a page's clock with each action: more than any page takes to show what an action did."""
NO_ADDRESSES: Final = SiteAddresses({})
"""Pages are shown with the addresses that they have."""

_BEGUN: Final = 1_483_228_800
"""The second that a page's clock shows as it loads, 2017 in UTC. All dates that tasks ask for lie before."""
_PACKAGE_MODE: Final = "train"
"""Of the few pages that have other tasks for tests, as the package has it unless it is told otherwise."""

_STYLED: Final = {".css": "text/css", ".html": "text/html"}
"""Files that have styles."""

_NAME_ELEMENTS: Final = """
    const hidden = ["query", "reward-display", "click-canvas", "sync-task-cover"];
    for (const id of hidden) document.getElementById(id)?.setAttribute("aria-hidden", "true");
    const named = window.quintetNamed ??= new WeakSet();
    const passed = "input, select, textarea, button, option, canvas, label, br, hr, script, style, button *, a *, " +
        "[role=tab] *, [role=menuitem] *, .ui-dialog-title, .ui-resizable-handle, [aria-hidden]";
    for (const each of document.querySelectorAll("textarea:not([title])")) each.title = "textarea";
    for (const each of document.querySelectorAll("body *")) {
        if (each.matches(".alink")) each.setAttribute("role", "link");
        const others = ["role", "aria-label", "title", "alt"].some(name => each.hasAttribute(name));
        if (each.matches(passed) || others && !named.has(each)) continue;
        const words = each.textContent.trim();
        if (!each.childElementCount && (each instanceof SVGElement || !words)) {
            const told = [...each.attributes].filter(({name}) => !/^(role$|aria-|data-wob|data-tampered)/.test(name));
            const label = [each.tagName.toLowerCase(), ...told.map(({name, value}) => `${name}=${value}`), words];
            each.setAttribute("role", "img");
            each.setAttribute("aria-label", label.join(" ").trim());
            named.add(each);
        } else if (named.delete(each)) {
            each.removeAttribute("role");
            each.removeAttribute("aria-label");
        }
    }
"""
"""Names what has no words, a shape or an icon, by its tag and its attributes, since no tree would show it else. So is a
`textarea` told from a field of one line, since a task may ask for the one or the other. The goal, and what the package
draws around a page, are left out of the tree, as the package leaves them out."""

_START: Final = f"""() => {{
    document.head.insertAdjacentHTML("beforeend", "<style>* {{ transition: none !important }} " +
        "::-webkit-calendar-picker-indicator {{ display: none !important }}</style>");
    document.addEventListener("keydown", event => {{
        const opens = event.altKey || [" ", "F4"].includes(event.key);
        if (opens && event.target.matches("[type=date], [type=time]")) event.preventDefault();
    }}, true);
    core.EPISODE_MAX_TIME = %d;
    Math.seedrandom(%d);
    core.setDataMode("{_PACKAGE_MODE}");
    core.startEpisodeReal();
    window.quintetBegun = true;
    const said = core.getUtterance();
    {_NAME_ELEMENTS}
    return JSON.stringify(said.utterance ?? said);
}}"""
"""Transitions of styles would take the browser's own time, and the picker of a date or a time shows the machine's."""

_VERDICT: Final = f"""() => {{
    if (!window.quintetBegun) return JSON.stringify([true, 0, 0]);
    {_NAME_ELEMENTS}
    return JSON.stringify([WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_GLOBAL]);
}}"""
"""What is new is named too, for the look that may follow."""


class PageVerdict(Struct, frozen=True):
    """What a page says of a task that has ended."""

    raw: float = 0.0
    """Its reward; in [-1, 1]."""
    decayed: float = 0.0
    """The same, less what the page takes off for the time it took; in [-1, 1]."""


class TaskPage:
    """The page of one task.

    Its clock stands still but for `pass_time`, so the same actions find the same page however long a model thinks.

    Args:
        window: a new one, which may ask `PAGE_HOST`.
    """

    def __init__(self, window: "Window") -> None:
        self.window = window

    async def begin(self, name: str, seed: int, steps: int) -> str:
        """Open a page, and begin its task; returns what it asks for.

        Args:
            name: of the page.
            seed: that the package would be given.
            steps: after so many the page says that the time is over.

        Raises:
            WorldFault: the page does not load, or begins no task.
        """
        clock = self.window.context.clock
        async with self.window.calls():
            await clock.install(time=_BEGUN)
            await clock.pause_at(_BEGUN + 1)
            await self.window.context.route("**/*", _answer)
        address = f"http://{PAGE_HOST}/{page_path(name)}"
        await self.window.open([address])
        passed = await self.window.evaluate(None, "() => performance.now()")  # before the clock stood still
        async with self.window.calls():
            await clock.run_for(max(0, 1000 - round(float(passed or 0))))
            await clock.set_system_time(_BEGUN + 2)
        said = await self.window.evaluate(None, _START % (steps * STEP_SECONDS * 1000, seed))
        if not said:
            raise WorldFault(f"miniwob: expected a page that begins a task, got none ({address})")
        return msgspec.json.decode(said, type=str)

    async def pass_time(self) -> None:
        """Let a step's time pass."""
        async with self.window.calls():
            await self.window.context.clock.run_for(STEP_SECONDS * 1000)

    async def look(self, characters: int) -> SeenPage:
        """Capture the page, and show at most so many characters."""
        return await look(self.window, NO_ADDRESSES, characters)

    async def verdict(self) -> PageVerdict | None:
        """What the page says; None: the task goes on. A page that was left, or does not answer, has ended."""
        said = await self.window.evaluate(None, _VERDICT)
        done, raw, decayed = (
            msgspec.json.decode(said, type=tuple[bool, float | None, float | None]) if said else (True, 0, 0)
        )
        return PageVerdict(raw or 0.0, decayed or 0.0) if done else None


async def _answer(route: "Route") -> None:
    path = route.request.url.partition(f"://{PAGE_HOST}/")[2].partition("?")[0]
    file = package_file(path) if path else None
    if file is None:
        await route.fulfill(status=404, body="")
    elif file.suffix in _STYLED:
        await route.fulfill(body=text_with_pictures(file), content_type=_STYLED[file.suffix])
    else:
        await route.fulfill(path=file)
