"""What a session sees: the page of the current tab, with the addresses that models see."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.observation.page_text import page_text
from quintet.environments.webarena.observation.tree import PageTree, read_tree

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window


class SeenPage(Struct, frozen=True, kw_only=True):
    """A page as it was captured."""

    captured: CapturedPage
    tree: PageTree
    text: str
    """With the tabs above it and its address below."""
    notes: tuple[str, ...]
    """What happened besides the action, such as a dialog."""

    @property
    def observation(self) -> str:
        return "\n".join((*self.notes, self.text))


async def look(window: "Window", addresses: SiteAddresses, characters: int) -> SeenPage:
    """Capture the page of the current tab.

    Args:
        characters: the most that are shown of tabs and page.
    """
    page = await window.capture()
    found = read_tree(page)
    # The addresses are exchanged before the text is cut: those of a session's own sites differ in length.
    tree = PageTree(text=addresses.shown(found.text), elements=found.elements)
    titles = [addresses.shown(tab.title) for tab in window.tabs]
    url = addresses.shown(page.url)
    return SeenPage(
        captured=replace(page, url=url),
        tree=tree,
        text=f"{page_text(titles, window.current, tree, characters)}\nURL: {url}",
        notes=tuple(map(addresses.shown, window.notes())),
    )
