"""A window's own clipboard: a browser has one, which all of its windows would share."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from quintet.environments.webarena.browser.tab import Tab

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
_NAMES: Final = {"ctrl": "control", "del": "delete"}
_LONGEST: Final = 100_000
_SELECTED: Final = """(() => {
    const field = document.activeElement, start = field?.selectionStart;
    if (field?.type === "password") return "";
    const text = typeof start === "number" ? field.value.slice(start, field.selectionEnd) : String(getSelection());
    return text.slice(0, %d);
})()"""


def clipboard_use(keys: str) -> ClipboardUse | None:
    """What a combination of keys, such as `Control+c`, does with the clipboard; None: nothing."""
    pressed = [key.strip().lower() for key in keys.split("+")]
    return _USES.get(frozenset(_NAMES.get(key, key) for key in pressed))


class WindowClipboard:
    """What was copied in one window. A page's own buttons use the browser's."""

    def __init__(self) -> None:
        self._text = ""

    async def use(self, tab: Tab, use: ClipboardUse, seconds: float) -> None:
        """Copy or cut what is selected in a tab, or paste there.

        Raises:
            NotAnswering: a script in the page does not end.
        """
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
