"""Plans one task on websites, and judges which of the plan's steps an action serves."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.pursuit import describe
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webarena.answers import answers_on
from quintet.models.sim.webarena.browsing import Browsing, browsing_of
from quintet.models.sim.webarena.forms import shows_error
from quintet.models.sim.webarena.page import BrowsedPage, read_web_page
from quintet.models.sim.webarena.picture import TRIED, labelled
from quintet.models.sim.webarena.progress import NOT_FOUND, ended_well
from quintet.models.sim.webarena.task import WebPromptTask, is_part, part_for, read_web_goal

_MOST_SHOWN = 30
_MOST_ANSWERS = 3


class WebarenaSteps(Player[WebPromptTask]):
    """Plans to find a page and to do there what the goal says, and judges it action by action."""

    def plan_steps(self, reading: Reading[WebPromptTask], mind: Mind) -> Iterator[str]:
        """What is left to do: no page is to be found that is open."""
        browsing = browsing_of(reading, mind)
        if not browsing.goal.part and browsing.goal.purpose != "show" and browsing.coverage() < 1:
            yield part_for(browsing.goal)
        yield reading.task.wording

    def with_goal(self, task: WebPromptTask, goal: str, times: int) -> WebPromptTask | None:
        """A step is a goal if it is a page to find, or the goal itself; others are left to the whole goal."""
        if goal.rstrip(" .") == task.wording.rstrip(" ."):
            return task
        return replace(task, wording=goal, goal=read_web_goal(goal)) if is_part(goal) else None

    def serves(self, reading: Reading[WebPromptTask], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether it ended with what was asked for, typed something, or led to a page that says more of the goal."""
        bare = replace(reading, steps=(), past=(before,), task=replace(reading.task, page=None))
        then, now = browsing_of(bare, mind), browsing_of(replace(bare, past=(before, done)), mind)
        if now.seen.ended:
            whole = replace(reading, steps=(), past=(*(reading.past or ()), before, done))
            return _ends_well(browsing_of(whole, mind) if now.seen.answer == NOT_FOUND else now)
        page = read_web_page(done.observation)
        if page is None or then.page is None or page == then.page:
            return False
        if now.seen.last is not None and now.seen.last.typed and page.url == then.page.url:
            return True
        return now.reached() or _worth(now, page) > _worth(then, then.page)

    def describe_step(self, reading: Reading[WebPromptTask], before: str, action: str, after: str) -> str:
        """An action with the words of its element, and of what was seen after it what matters for the goal."""
        short = self.shorten(reading.task.wording, after)
        return describe(labelled(action, read_web_page(before)), after if short is None else short)

    def shorten(self, goal: str, observation: str) -> str | None:
        """The tabs, the address, and the nodes that share a word with the goal or may answer it."""
        page = read_web_page(observation)
        if page is None:
            return None
        read = read_web_goal(goal)
        said = [each.value for each in answers_on(read, page)[:_MOST_ANSWERS]] if read.purpose == "answer" else []
        head = observation[max(0, observation.find("Tab 0")) :].split("\n", 1)[0].split(" [", 1)[0]
        kept = [
            node
            for node in page.nodes
            if node.role in ("RootWebArea", "alert")
            or node.stems & (read.words | read.focus)
            or any(value in node.name for value in said)
        ]
        lines = [f"[{node.number}] {node.role} {node.name!r}" for node in kept[:_MOST_SHOWN]]
        return "\n".join([head, "", *lines, *([f"URL: {page.url}"] if page.url else [])])

    def outlasting(self, steps: Sequence[Exchange]) -> Iterable[Exchange]:
        """What was tried on which page: a page that was left is as it was."""
        return (Exchange(TRIED + step.action, "") for step in steps if step.action)


def _ends_well(browsing: Browsing) -> bool:
    """Whether an end serves. That a change was made is not seen any more: it is believed where nothing was refused."""
    if browsing.goal.purpose != "change" or browsing.seen.answer == NOT_FOUND:
        return ended_well(browsing)
    return browsing.page is not None and not shows_error(browsing.page)


def _worth(browsing: Browsing, page: BrowsedPage) -> float:
    """How much a page says of the goal; its title, address and headings count twice."""
    words = browsing.goal.words
    heading = len(words & page.heading_stems) / len(words) if words else 0.0
    return browsing.coverage(page) + 2 * heading
