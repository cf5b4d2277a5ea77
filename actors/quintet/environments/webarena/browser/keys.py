"""Keys: what the browser calls them, and what they do with the clipboard."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

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
_NAMES: Final = {"ctrl": "control", "del": "delete"}


def named_keys(keys: str) -> str:
    """A key or a combination, such as `ctrl+v`, in the browser's names."""
    pressed = [key.strip() for key in keys.split("+")] if keys != "+" else [keys]
    return "+".join(_KEYS.get(key.lower(), key) for key in pressed)


def clipboard_use(keys: str) -> ClipboardUse | None:
    """What a combination of keys, such as `Control+c`, does with the clipboard; None: nothing."""
    pressed = [key.strip().lower() for key in keys.split("+")]
    return _USES.get(frozenset(_NAMES.get(key, key) for key in pressed))
