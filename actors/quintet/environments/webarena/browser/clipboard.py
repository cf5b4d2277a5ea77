"""A window's own clipboard: a browser has one, which all of its windows would share."""

from typing import Final

from quintet.environments.webarena.browser.keys import ClipboardUse
from quintet.environments.webarena.browser.tab import Tab

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

    async def use(self, tab: Tab, use: ClipboardUse, seconds: float) -> None:
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
