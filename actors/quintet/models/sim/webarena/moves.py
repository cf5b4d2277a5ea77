"""Moves on websites: answer what is seen, fill a form, follow what the goal names, search, scroll, and stop.

It reads on from where it is, and never goes back: of several links it takes the one that shares most words with the
goal, and on a page that leads nowhere it searches anew or gives up.
"""

from collections.abc import Iterator, Sequence

from quintet.models.sim.player import COMPLETED, FAILED, Move
from quintet.models.sim.webarena.browsing import Browsing
from quintet.models.sim.webarena.forms import buttons_for, fillings, options_meant
from quintet.models.sim.webarena.narrowing import applying, choices_left, closed_filters, days_to_fill
from quintet.models.sim.webarena.page import BrowsedNode
from quintet.models.sim.webarena.picture import is_done
from quintet.models.sim.webarena.progress import NOT_FOUND
from quintet.models.sim.webarena.searching import names_something, searches
from quintet.models.sim.webarena.sought import dated_items

_MOST_SCROLLS = 2
_MOST_CHOICES = 3
_HALF = 0.5
_PATIENCE = 20
"""Actions after which nothing new is begun. Models tried here gave up sooner or later; the world ends at 30."""

_ABOUT_OPENING, _ABOUT_SEARCHING, _ABOUT_TYPING = r"\b(?:open|click|find|go)\b", r"\bsearch\b", r"\b(?:type|fill)\b"
_ABOUT_STOPPING = r"\b(?:stop|answer)\b"


def browsing_move(browsing: Browsing) -> Move:
    """The next action towards the goal."""
    if browsing.seen.ended or (browsing.goal.part and browsing.reached()):
        return Move("This is done.", COMPLETED)
    allowed = (move for move in _moves(browsing) if browsing.allowed(move.action))
    return next(allowed, give_up(browsing))


def give_up(browsing: Browsing) -> Move:
    """Stop with what fits best, or with the word for nothing; a part of a task has failed."""
    if browsing.goal.part:
        return Move("I see nothing more that leads on.", FAILED)
    if browsing.goal.purpose == "show" and browsing.shows_most:
        return Move("Nothing comes closer to it than this.", "stop []", _ABOUT_STOPPING)
    best = next(iter(browsing.answers()), None)
    guess = NOT_FOUND if best is None or best.near == 0 or best.share < _HALF else best.value
    return Move("I see nothing more that leads on.", f"stop [{guess}]", _ABOUT_STOPPING)


def _moves(browsing: Browsing) -> Iterator[Move]:
    """What to do, the best first."""
    goal = browsing.goal
    if goal.purpose == "answer" and browsing.knows_answer():
        found = browsing.answers()[0].value
        yield Move(f"The page says it: {found}.", f"stop [{found}]", _ABOUT_STOPPING)
    elif goal.purpose != "answer" and browsing.reached():
        yield Move("This is what was asked for.", "stop []", _ABOUT_STOPPING)
    if goal.purpose == "change":
        yield from _fill(browsing)
    if browsing.seen.actions < _PATIENCE:
        yield from _look_on(browsing)


def _fill(browsing: Browsing) -> Iterator[Move]:
    page, goal, seen = browsing.page, browsing.goal, browsing.seen
    if page is None:
        return
    filled = False
    if browsing.goal.rank is not None and not goal.here and browsing.sorters():
        return
    for node, text in fillings(goal, page):
        if not (node.stems & goal.words or browsing.is_about(node)):
            continue
        filled = True
        if not is_done(seen, node, text):
            yield Move(f"{node.name} is to be {text}.", f"type [{node.number}] [{text}] [0]", _ABOUT_TYPING)
    for node in options_meant(goal, page):
        if browsing.is_about(node) and not is_done(seen, node):
            yield _click(node)
    typed = any(deed.typed and deed.url == page.url for deed in seen.trail)
    for node in buttons_for(goal, page, filled=filled):
        if (typed or browsing.is_about(node)) and not browsing.was_pressed(node):
            yield _click(node)


def _look_on(browsing: Browsing) -> Iterator[Move]:
    page, goal = browsing.page, browsing.goal
    if page is None:
        return
    if browsing.found_nothing:
        yield from _search(browsing)
    yield from _order(browsing)
    yield from _narrow(browsing)
    leads = browsing.leads()
    telling = browsing.telling(leads)
    yield from _chosen(browsing, telling)
    if browsing.shows_most:
        yield from map(_click, browsing.tabs())
    if not telling and (browsing.shows_most or (goal.purpose == "change" and browsing.right_place)):
        yield from _scroll(browsing)
    if browsing.lists_the_kind() or (goal.period is not None and dated_items(page, goal.period)[0]):
        yield from map(_click, browsing.further()[-1:])
    if names_something(goal) and not browsing.right_place:
        yield from _search(browsing)
    if goal.purpose != "show" or not browsing.shows_most:
        yield from _chosen(browsing, [node for node in leads if node not in telling])
        yield from _chosen(browsing, browsing.usual())
    yield from map(_click, browsing.further()[-1:])
    yield from _search(browsing)
    yield from map(_click, browsing.menus())
    yield from _scroll(browsing)
    if browsing.seen.below[page.url] > 0:
        yield Move("What I need is above.", "scroll [up]", _ABOUT_OPENING)
    if browsing.instead_of:
        yield from map(_click, browsing.others()[:_MOST_CHOICES])


def _order(browsing: Browsing) -> Iterator[Move]:
    """Bring the list into the order of the superlative, and open what it means."""
    yield from map(_click, browsing.sorters()[:1])
    meant = browsing.meant()
    if meant is not None and meant.link is not None and not is_done(browsing.seen, meant.link):
        yield _click(meant.link)


def _narrow(browsing: Browsing) -> Iterator[Move]:
    """Choose of a list what the goal names, by its filters."""
    page, goal, seen = browsing.page, browsing.goal, browsing.seen
    if page is None or goal.purpose == "change" or not browsing.shows_most:
        return
    for node, text in days_to_fill(goal, page):
        if not any(deed.typed == text and deed.name == node.name for deed in seen.trail):
            yield Move(f"{node.name} is {text}.", f"type [{node.number}] [{text}] [0]", _ABOUT_TYPING)
    for node in closed_filters(page):
        if not goal.words <= page.heading_stems and not is_done(seen, node):
            yield _click(node)
    for node in choices_left(goal, page):
        if not is_done(seen, node):
            yield _click(node)
    button = applying(page, seen.last)
    if button is not None:
        yield _click(button)


def _chosen(browsing: Browsing, nodes: Sequence[BrowsedNode]) -> Iterator[Move]:
    """One of the best few first, then the rest in their order."""
    if not nodes:
        return
    few = list(nodes[:_MOST_CHOICES])
    right = browsing.mind.chance.choose(few)
    others = [node for node in few if node != right]
    read = browsing.mind.misreading.answer(right, others, browsing.task.wording, "leads on", right.name)
    yield _click(read)
    yield from (_click(node) for node in nodes if node != read)


def _search(browsing: Browsing) -> Iterator[Move]:
    page = browsing.page
    if browsing.goal.here or page is None:
        return
    typed = {deed.typed for deed in browsing.seen.done}
    left = [words for words in searches(browsing.goal) if words.lower() not in typed]
    begun = len(left) < len(searches(browsing.goal))
    if not left or (begun and not browsing.found_nothing):
        return
    for node in page.nodes:
        is_search = node.role == "searchbox" or (node.role in ("textbox", "combobox") and "search" in node.name.lower())
        if is_search:
            yield Move(f"I search for {left[0]}.", f"type [{node.number}] [{left[0]}] [1]", _ABOUT_SEARCHING)


def _scroll(browsing: Browsing) -> Iterator[Move]:
    page = browsing.page
    if page is not None and not browsing.found_nothing and browsing.seen.scrolled[page.url] < _MOST_SCROLLS:
        yield Move("There may be more below.", "scroll [down]", _ABOUT_OPENING)


def _click(node: BrowsedNode) -> Move:
    return Move(f"{node.name} looks right.", f"click [{node.number}]", _ABOUT_OPENING)
