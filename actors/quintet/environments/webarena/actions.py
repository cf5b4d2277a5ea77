"""The published actions: one type each, read from what a model wrote, and written again."""

import re
from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import astuple

ACTION_FORMS: Final = (
    "click [id]",
    "hover [id]",
    "type [id] [text] [0|1]",
    "press [keys]",
    "scroll [up|down]",
    "goto [url]",
    "new_tab",
    "tab_focus [number]",
    "close_tab",
    "go_back",
    "go_forward",
    "stop [answer]",
)
"""How each action is written. The last part of `type` may be left out, and stands for Enter after the text."""


class _Action(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="do"):
    """In a walk it is written as a list, its name first: `["press", "Enter"]`."""


class Click(_Action, frozen=True, tag="click"):
    """Click an element."""

    element: int
    """The number before it in the observation; so in the other actions."""


class Hover(_Action, frozen=True, tag="hover"):
    """Move the mouse over an element."""

    element: int


class Type(_Action, frozen=True, tag="type"):
    """Type into a field."""

    element: int
    text: str
    enter: bool = True
    """Press Enter after it."""


class Press(_Action, frozen=True, tag="press"):
    """Press a key, or several at once: `Control+v`."""

    keys: str
    """Without white space around it."""


class Scroll(_Action, frozen=True, tag="scroll"):
    """Scroll the page by the height of the viewport."""

    direction: Literal["up", "down"]


class GoTo(_Action, frozen=True, tag="goto"):
    """Load an address in the current tab."""

    url: str
    """As the model wrote it, so of the public sites; without white space around it."""


class NewTab(_Action, frozen=True, tag="new_tab"):
    """Open an empty tab, and make it the current one."""


class FocusTab(_Action, frozen=True, tag="tab_focus"):
    """Make a tab the current one."""

    number: Annotated[int, Meta(ge=0)]


class CloseTab(_Action, frozen=True, tag="close_tab"):
    """Close the current tab."""


class GoBack(_Action, frozen=True, tag="go_back"):
    """Load the page before this one in the current tab."""


class GoForward(_Action, frozen=True, tag="go_forward"):
    """Undo `go_back`."""


class WebStop(_Action, frozen=True, tag="stop"):
    """End the task, with an answer if it asks for one."""

    answer: str = ""


PlainAction: TypeAlias = Press | Scroll | GoTo | NewTab | FocusTab | CloseTab | GoBack | GoForward
"""Those in a browser that name no element."""
BrowserAction: TypeAlias = Click | Hover | Type | PlainAction
WebAction: TypeAlias = BrowserAction | WebStop


class UnreadableAction(ValueError):
    """A text is none of the actions; the words say what was expected."""


def web_action_text(action: WebAction) -> str:
    """Write an action such that `read_web_action` reads an equal one."""
    values = (int(each) if isinstance(each, bool) else each for each in astuple(action))
    return " ".join((str(action.__struct_config__.tag), *(f"[{value}]" for value in values)))


def read_web_action(text: str) -> WebAction:
    """Read an action that stands alone, or within the first pair of triple backticks.

    Args:
        text: What a model wrote. Words after the action's brackets are ignored, as in `click [3] the search button`.

    Raises:
        UnreadableAction: it is none of the actions.

    Source: the released parser. Differs: the name may be in capitals, `type [3] [1]` types a 1, text may be empty or
    have several lines, numbers, keys and the flag of `type` may be named (`[press_enter_after=1]`), `goto` needs no
    brackets, since models write links so that none are left, and where the whole text is one action, backticks within
    it belong to its words.
    """
    alone = text.strip()
    if "```" not in alone or _WHOLE.fullmatch(alone):
        return _read(alone)
    parts = alone.split("```", 2)
    if len(parts) < 3:
        raise UnreadableAction("expected an action between two pairs of triple backticks, got one pair")
    return _read(parts[1].strip())


_WHOLE = re.compile(r"(?:type|press|goto|stop)\s*\[.*\]", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(r"[a-z_]+", re.IGNORECASE)
_NAMED = r"\s*(?:[a-z_]{1,20}\s*[=:]\s*|\#)?"
_NUMBER = re.compile(rf"\s*\[{_NAMED}([0-9]{{1,9}})\s*\]", re.IGNORECASE)
_FLAG = re.compile(rf"{_NAMED}([01])\s*", re.IGNORECASE)
_KEYS = re.compile(r"\s*(?:keys?(?:_comb)?\s*[=:]\s*)?(.+?)\s*", re.IGNORECASE | re.DOTALL)
_DIRECTION = re.compile(rf"\s*\[?{_NAMED}(up|down)\b", re.IGNORECASE)


def _read(text: str) -> WebAction:
    name = _NAME.match(text)
    read = _READERS.get(name.group().lower()) if name else None
    action = read(text[name.end() :]) if read and name else None
    if action is None:
        got = repr(text if len(text) <= 80 else text[:77] + "...") if text else "nothing"
        raise UnreadableAction(f"expected {_form(name.group().lower() if name else '')}, got {got}")
    return action


def _form(name: str) -> str:
    own = [form for form in ACTION_FORMS if form.split(" ", 1)[0] == name]
    return f"`{own[0]}`" if own else "one of " + ", ".join(f"`{form}`" for form in ACTION_FORMS)


def _numbered(make: Callable[[int], WebAction]) -> Callable[[str], WebAction | None]:
    def read(rest: str) -> WebAction | None:
        number = _NUMBER.match(rest)
        return make(int(number[1])) if number else None

    return read


def _bare(action: WebAction) -> Callable[[str], WebAction | None]:
    return lambda rest: action if not rest or not rest[0].isalnum() else None


def _bracketed(rest: str) -> str | None:
    """What stands between the first bracket and the last; None: text comes before them, or there are none."""
    end = rest.rfind("]")
    start = rest.find("[")
    return rest[start + 1 : end] if 0 <= start < end and not rest[:start].strip() else None


def _type(rest: str) -> WebAction | None:
    number = _NUMBER.match(rest)
    inside = _bracketed(rest[number.end() :]) if number else None
    if number is None or inside is None:
        return None
    before, _, last = inside.rpartition("[")
    if (flag := _FLAG.fullmatch(last)) and before.rstrip().endswith("]"):
        return Type(int(number[1]), before.rstrip()[:-1], flag[1] == "1")
    return Type(int(number[1]), inside)


def _press(rest: str) -> WebAction | None:
    keys = _KEYS.fullmatch(_bracketed(rest) or "")
    return Press(keys[1]) if keys and keys[1].strip() else None


def _scroll(rest: str) -> WebAction | None:
    direction = _DIRECTION.match(rest)
    return Scroll("down" if direction[1].lower() == "down" else "up") if direction else None


def _goto(rest: str) -> WebAction | None:
    inside = _bracketed(rest)
    url = rest.strip() if inside is None else inside.strip()
    return GoTo(url) if url and (inside is not None or not re.search(r"[\s\[\]]", url)) else None


def _stop(rest: str) -> WebAction | None:
    answer = _bracketed(rest)
    if answer is None:
        return None if rest.strip() else WebStop()
    return WebStop(answer)


_READERS: Final[dict[str, Callable[[str], WebAction | None]]] = {
    "click": _numbered(Click),
    "hover": _numbered(Hover),
    "type": _type,
    "press": _press,
    "scroll": _scroll,
    "goto": _goto,
    "new_tab": _bare(NewTab()),
    "tab_focus": _numbered(FocusTab),
    "close_tab": _bare(CloseTab()),
    "go_back": _bare(GoBack()),
    "go_forward": _bare(GoForward()),
    "stop": _stop,
}
