"""Pages of the sites that come with the project, as a model sees them: recorded once, so reading them needs no browser.

They are of the tasks that were looked at while the reader was written (decision 184).
"""

from functools import cache
from pathlib import Path

from quintet.messages.prompts import Prompt, system, user
from quintet.models.sim.model import strong
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from tests.actors.models.sim.answers import action_in, said
from tests.actors.models.sim.webarena.playing import instructions

_PAGES = Path(__file__).parent / "pages"


@cache
def page_shown(name: str) -> str:
    return (_PAGES / f"{name}.txt").read_text()


def page_read(name: str) -> BrowsedPage:
    page = read_web_page(page_shown(name))
    assert page is not None
    return page


def first_action(name: str, goal: str) -> str:
    """What the strong level does first on a page."""
    return action_in(said(strong(), Prompt(system(instructions()), user(f"{page_shown(name)}\n\nGoal: {goal}."))))
