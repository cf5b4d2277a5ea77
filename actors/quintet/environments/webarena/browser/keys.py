"""Keys: what the browser calls them, and what they do with the clipboard, which each window has of its own."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.tab import Tab

_PUBLISHED: Final = (
    "Control Meta Alt Shift Enter Escape Tab Backspace Delete Insert Home End PageUp PageDown "
    "ArrowUp ArrowDown ArrowLeft ArrowRight"
)
_KEYS: Final[Mapping[str, str]] = {
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "space": "Space",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    **{name.lower(): name for name in _PUBLISHED.split()},
}
"""Other names of keys, in lower case, beside the published ones."""

ClipboardUse: TypeAlias = Literal["copy", "cut", "paste"]
"""What keys do with the clipboard."""

_USES: Final[Mapping[frozenset[str], ClipboardUse]] = {
    frozenset(("control", "c")): "copy",
    frozenset(("control", "insert")): "copy",
    frozenset(("control", "x")): "cut",
    frozenset(("shift", "delete")): "cut",
    frozenset(("control", "v")): "paste",
    frozenset(("control", "shift", "v")): "paste",
    frozenset(("shift", "insert")): "paste",
}


def named_keys(keys: str) -> str:
    """A key or a combination, such as `ctrl+v`, in the browser's names."""
    pressed = [key.strip() for key in keys.split("+")] if keys != "+" else [keys]
    return "+".join(_KEYS.get(key.lower(), key) for key in pressed)


def clipboard_use(keys: str) -> ClipboardUse | None:
    """What a combination of keys, such as `Control+c`, does with the clipboard; None: nothing."""
    return _USES.get(frozenset(named_keys(keys).lower().split("+")))


def date_words(text: str) -> list[str]:
    """What is typed of a date or a time, in words between which an arrow key leads to the next part.

    After two digits the browser goes on by itself, after a year or one digit it waits for more. Separators say nothing
    to it, and a space would open its picker.
    """
    padded = re.sub(r"(?<!\d)\d(?!\d)", r"0\g<0>", text)
    return ["".join(word.split()) for word in re.split(r"(?<=\d{4})[\s,]+(?=\d)", padded)]


_LONGEST: Final = 100_000
_SELECTED: Final = """(() => {
    const field = document.activeElement, start = field?.selectionStart;
    if (field?.type === "password") return "";
    const text = typeof start === "number" ? field.value.slice(start, field.selectionEnd) : String(getSelection());
    return text.slice(0, %d);
})()"""


class WindowClipboard:
    """What was copied in one window. A page's own buttons use the browser's."""

    def __init__(self) -> None:
        self._text = ""

    async def use(self, tab: "Tab", use: ClipboardUse, seconds: float) -> None:
        """Copy or cut what is selected in a tab, or paste there."""
        if use == "paste":
            if self._text:
                async with tab.devtools.answering(seconds):
                    await tab.page.keyboard.insert_text(self._text)
            return
        selected = await tab.devtools.evaluate(_SELECTED % _LONGEST, seconds)
        if not isinstance(selected, str) or not selected:
            return
        self._text = selected
        if use == "cut":
            async with tab.devtools.answering(seconds):
                await tab.page.keyboard.press("Delete")
