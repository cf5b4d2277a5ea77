"""A small site of written pages, in the wording of the real ones: tasks on it need no browser."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from quintet.environments.webarena.actions import (
    Click,
    GoBack,
    Scroll,
    Type,
    UnreadableAction,
    WebStop,
    read_web_action,
)
from quintet.environments.webarena.observation.page_text import page_text
from quintet.environments.webarena.observation.tree import PageTree, read_tree
from quintet.messages.environment import Task
from quintet.ports.world import Forks, Opening, Outcome
from tests.actors.environments.webarena.observation.pages import Part, page_of

ORIGIN = "http://onestopmarket.com"
ENDED = "The task has ended."

SEARCH = Part("searchbox", "Search")
_TABLE = Part(
    "table",
    "",
    (
        Part("row", "", (Part("columnheader", "Order #"), Part("columnheader", "Status"))),
        Part("row", "", (Part("cell", "000000012"), Part("cell", "Shipped"))),
        Part("row", "", (Part("cell", "000000013"), Part("cell", "On Hold"))),
    ),
)


def _links(*names: str) -> tuple[Part, ...]:
    return tuple(Part("link", name) for name in names)


def _product(name: str, *about: str) -> tuple[Part, ...]:
    said = (Part("StaticText", each) for each in about)
    return (Part("main", "", (Part("heading", name), *said, Part("button", "Add to Cart"))),)


PAGES: Mapping[str, tuple[str, Sequence[Part]]] = {
    "/": ("The Mug Shop", (SEARCH, *_links("Kitchen", "My Orders", "Garden Office", "Contacts"))),
    "/kitchen": ("Kitchen", (Part("heading", "Kitchen"), *_links("Blue Mug", "Copper Kettle"))),
    "/blue-mug": ("Blue Mug", _product("Blue Mug", "12 reviews", "$4.00", "In stock")),
    "/cart": ("Cart", (Part("heading", "Cart"), Part("alert", "", (Part("StaticText", "Blue Mug was added."),)))),
    "/copper-kettle": ("Copper Kettle", _product("Copper Kettle", "3 reviews", "$45.50")),
    "/search": ("Search results", (Part("heading", "Search results"), *_links("Copper Kettle"))),
    "/orders": ("My Orders", (Part("heading", "My Orders"), Part("StaticText", "Items 1-2 of 2"), _TABLE)),
    "/garden-office": ("Garden Office", (Part("heading", "Garden Office"), Part("StaticText", "Open at weekends."))),
    "/about": ("About us", _links("Garden Office", "Contacts of the Garden Office")),
    "/contacts": (
        "Contacts",
        (
            Part("heading", "Contacts"),
            Part("heading", "Garden Office"),
            Part("StaticText", "Phone"),
            Part("StaticText", "555-0142"),
        ),
    ),
}
LEADS: Mapping[str, str] = {
    "Kitchen": "/kitchen",
    "My Orders": "/orders",
    "Garden Office": "/garden-office",
    "Contacts": "/contacts",
    "Contacts of the Garden Office": "/contacts",
    "Blue Mug": "/blue-mug",
    "Copper Kettle": "/copper-kettle",
    "Add to Cart": "/cart",
}


@dataclass(frozen=True)
class PaperTask:
    """A task on the site."""

    goal: str
    start: str
    ends: Callable[[str, str], bool]
    """Whether an answer given on a page is right."""


def _says(answer: str) -> Callable[[str, str], bool]:
    return lambda said, page: said == answer


def _is_on(path: str) -> Callable[[str, str], bool]:
    return lambda said, page: page == path


ONE_PAGE: Mapping[str, PaperTask] = {
    "read": PaperTask("How many reviews does the Blue Mug have", "/blue-mug", _says("12")),
    "row": PaperTask("What is the status of order 000000013", "/orders", _says("On Hold")),
    "count": PaperTask("How many orders have I placed altogether", "/orders", _says("2")),
    "link": PaperTask("Open the Kitchen page", "/", _is_on("/kitchen")),
    "search": PaperTask("What is the price of the Copper Kettle", "/", _says("$45.50")),
    "button": PaperTask("Add the Blue Mug to the cart", "/blue-mug", _is_on("/cart")),
}
GOING_BACK: Mapping[str, PaperTask] = {
    "phone": PaperTask("What is the phone number of the Garden Office", "/about", _says("555-0142")),
}
TASKS = {**ONE_PAGE, **GOING_BACK}


class _Moment(msgspec.Struct, frozen=True):
    path: str
    history: tuple[str, ...] = ()
    answer: str | None = None


class PaperSite:
    """A session on the site."""

    def __init__(self, task: PaperTask, moment: _Moment | None = None, *, blank: bool = False) -> None:
        self._task = task
        self._now = moment or _Moment(task.start)
        self._blank = blank

    @property
    def opening(self) -> Opening:
        shown = self._text(self._task.start)
        goal = self._task.goal
        return Opening(observation=f"{shown}\n\nOBJECTIVE: {goal}", setting=shown, goal=goal)

    @property
    def observation(self) -> str:
        return ENDED if self._now.answer is not None else self._text(self._now.path)

    def step(self, action: str) -> Outcome:
        try:
            went = self._after(read_web_action(action))
        except UnreadableAction as reason:
            went = str(reason)
        if isinstance(went, _Moment):
            self._now = went
        said = self._now.answer
        return Outcome(
            observation=self.observation if isinstance(went, _Moment) else went,
            reward=float(said is not None and self._task.ends(said, self._now.path)),
            done=said is not None,
            rejected=not isinstance(went, _Moment),
        )

    def _after(self, action: object) -> "_Moment | str":
        here = self._now
        match action:
            case Click(number) if number in self._tree(here.path).elements:
                name = self._tree(here.path).elements[number].name
                return self._to(LEADS[name]) if name in LEADS else here
            case Type(_, text, enter=True):
                return self._to("/search" if "kettle" in text.lower() else "/")
            case GoBack() if here.history:
                return _Moment(here.history[-1], here.history[:-1])
            case WebStop(answer):
                return msgspec.structs.replace(here, answer=answer)
            case Scroll():
                return "The page does not scroll further down."
            case _:
                return "There is no such element."

    def _to(self, path: str) -> _Moment:
        return _Moment(path, (*self._now.history, self._now.path))

    def _tree(self, path: str) -> PageTree:
        title, parts = PAGES[path]
        return read_tree(page_of(*parts, title=title))

    def _text(self, path: str) -> str:
        if self._blank:
            return ""
        return f"{page_text([PAGES[path][0]], 0, self._tree(path))}\nURL: {ORIGIN}{path}"

    def admissible(self) -> None:
        return None

    def expert(self) -> None:
        return None

    def fork(self) -> "PaperSite":
        return PaperSite(self._task, self._now, blank=self._blank)

    def snapshot(self) -> bytes:
        return msgspec.json.encode(self._now)


@dataclass(frozen=True)
class PaperWorld:
    """One task of the site as a world."""

    task: str
    blank: bool = False
    name: str = "webarena"
    version: str = "1"
    forks: Forks = "copy"
    exact: bool = True
    splits: tuple[str, ...] = field(default=("all",))

    def tasks(self, split: str) -> tuple[str, ...]:
        return (self.task,)

    def metadata(self, task: str) -> Mapping[str, str]:
        return {}

    def open(self, task: Task) -> Any:
        return PaperSite(TASKS[self.task], blank=self.blank)

    def restore(self, task: Task, snapshot: bytes) -> Any:
        return PaperSite(TASKS[self.task], msgspec.json.decode(snapshot, type=_Moment), blank=self.blank)
