"""How long a window waits for pages."""

from msgspec import Struct


class Patience(Struct, frozen=True, kw_only=True):
    """How long is waited for pages, in seconds."""

    navigation: float = 15.0
    """For a page to load."""
    action: float = 10.0
    """For a page to take a click or a key, or to answer a script."""
    capture: float = 15.0
    """For a page to be described."""
    requests: float = 2.0
    """For what scripts of a loaded page ask for after an action."""
