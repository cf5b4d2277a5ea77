"""The next action: open the page of a name, look up words on it, follow what it names, and answer."""

import re
from collections.abc import Iterator, Sequence

from quintet.models.sim.hotpotqa.compare import unread
from quintet.models.sim.hotpotqa.evidence import Evidence, leads_in, ways_to
from quintet.models.sim.hotpotqa.names import in_words
from quintet.models.sim.hotpotqa.pages import SHOWN, bare, key_of
from quintet.models.sim.hotpotqa.question import Question
from quintet.models.sim.hotpotqa.view import View
from quintet.models.sim.hotpotqa.words import FUNCTION_WORDS, TOKEN, stem
from quintet.models.sim.player import COMPLETED, FAILED, Move

_MOST_EFFORTS = 5
"""After so many what fits best is the answer: the papers allow six actions or more, the answer included."""
_MOST_CHOICES = 4
_SHORTEST_KEYWORD = 4
_DESCRIBED = re.compile(r"\bthe\b", re.IGNORECASE)

ABOUT_SEARCH, ABOUT_LOOKUP, ABOUT_ANSWER = r"\bsearch\b", r"\blook ?up\b", r"\b(?:finish|answer)\b"
"""Find the steps of a plan that are about these actions."""


def next_move(view: View) -> Move:
    """The next action towards the goal."""
    if COMPLETED not in view.instead_of and _reached(view):
        return Move("What was asked for has been read.", COMPLETED)
    if view.task.aim == "page":
        return next(_to_page(view), Move(f"No page is found for {view.task.name}.", FAILED))
    best = view.answer() if view.believes_found() else None
    if best is not None and (move := _give(view, best)) is not None:
        return move
    choices = _on(view)
    if choices:
        return choices[0] if len(choices) == 1 else view.mind.chance.choose(choices)
    for guess in filter(None, (view.answer(), *view.answers())):
        if (move := _give(view, guess)) is not None:
            return move._replace(thought=f"Nothing else leads on, and this fits best. {move.thought}")
    return Move("The pages that I found do not say it.", FAILED)


def _reached(view: View) -> bool:
    match view.task.aim:
        case "page":
            return view.is_open(view.task.name)
        case "fact":
            return view.believes_found()
        case "answer":
            return view.known.answer is not None


def _give(view: View, found: Evidence) -> Move | None:
    """Say the answer, or that it was found where it is only to be found out; None: that is to be done without."""
    if view.task.aim == "fact":
        return Move(f"The page of {found.title} says it.", COMPLETED) if COMPLETED not in view.instead_of else None
    answer = found.answer if view.answers_short else found.sentence
    action = f"finish[{answer}]"
    if not view.possible(action):
        return None
    return Move(
        f'On the page of {found.title} I read: "{found.sentence}" So the answer is {found.answer}.',
        action,
        ABOUT_ANSWER,
    )


def _on(view: View) -> list[Move]:
    """What could be read next: any one of the moves, the best first."""
    if view.known.efforts >= _MOST_EFFORTS and view.answers():
        return []
    if first := next(_to_names(view), None):
        return [first]
    question, known = view.question, view.known
    leads = leads_in(question, known)
    near = [lead for lead in leads if lead.near]
    ways = ways_to(question, known)
    here = known.here
    came_by_lead = here is not None and (way := ways.get(key_of(here.title))) is not None and way.hops > 1
    looks = list(_look_ups(view))
    to_leads = [
        Move(f"The page of {lead.title} names {lead.name}, so I read on there.", f"search[{lead.name}]", ABOUT_SEARCH)
        for lead in (near or leads)
    ]
    if to_leads:
        right, *others = [move for move in to_leads if view.possible(move.action)] or [None]
        if right is not None:
            wording = view.task.wording
            read = view.mind.misreading.answer(right, others[:_MOST_CHOICES], wording, "leads on", right.action)
            to_leads = [read, *(move for move in (right, *others) if move != read)][:_MOST_CHOICES]
        else:
            to_leads = []
    if looks and (came_by_lead or not near or not to_leads):
        return looks[:1]
    return to_leads


def _to_page(view: View) -> Iterator[Move]:
    yield from _search_for(view, view.task.name)


def _to_names(view: View) -> Iterator[Move]:
    """Open the pages of the names in the question, or similar ones."""
    question = view.question
    if not view.searches_names and (described := description_in(question)) is not None:
        action = f"search[{described}]"
        if not view.known.tried(described) and view.possible(action):
            yield Move(f"I look for {described}.", action, ABOUT_SEARCH)
    for name in unread(question, view.known):
        yield from _search_for(view, name)
    for searched in dict.fromkeys((*(question.pair or ()), *question.names)):
        if not view.is_open(searched):
            yield from _search_for(view, searched)
    if not question.names:
        for words in phrases_in(question):
            yield from _search_for(view, words)


def _search_for(view: View, name: str) -> Iterator[Move]:
    """Search a name or, where it was searched in vain, the titles that were offered, the likeliest first."""
    action = f"search[{name}]"
    if not view.known.tried(name):
        if view.possible(action):
            yield Move(f"I have to read about {name}.", action, ABOUT_SEARCH)
        return
    for title in _alike(view, name):
        action = f"search[{title}]"
        if view.possible(action):
            yield Move(f"There is no page {name}, and {title} may be meant.", action, ABOUT_SEARCH)


def _alike(view: View, name: str) -> Sequence[str]:
    """The titles offered for a name that are its own with more or fewer words, those first that the question's words fit."""
    offered = view.known.missing.get(key_of(name), ())
    asked = set(bare(view.question.text).split())
    words = set(bare(name).split())

    def order(title: str) -> tuple[int, int]:
        of_title = set(key_of(title).split())
        return -len(of_title & (asked | words)), len(of_title - asked)

    left = [title for title in offered if not view.known.tried(title) and set(bare(title).split()) & words]
    opened = any(view.known.searched_for.get(key_of(title)) == key_of(name) for title in offered)
    return [] if opened else sorted(left, key=order)


def _look_ups(view: View) -> Iterator[Move]:
    """Look up the question's words on the open page, as far as nothing that was read says them."""
    here = view.known.here
    if here is None or len(here.sentences) < SHOWN:
        return
    best = next(iter(view.answers()), None)
    missing = best.missing if best is not None else view.question.terms
    for word in dict.fromkeys(keyword(view.question.word_for(term)) for term in in_order(view.question, missing)):
        action = f"lookup[{word}]"
        if word.lower() not in here.looked_up and view.possible(action):
            yield Move(f"The page of {here.title} may say more of it, so I look up {word}.", action, ABOUT_LOOKUP)


def keyword(word: str) -> str:
    """The part of a word that its other forms have too."""
    root = stem(word.lower())
    return root if len(root) >= _SHORTEST_KEYWORD and word.lower().startswith(root) else word


def in_order(question: Question, terms: frozenset[str]) -> list[str]:
    """Terms in the order in which the question says them."""
    return [term for term in dict.fromkeys(term for term, _ in question.said) if term in terms]


def description_in(question: Question) -> str | None:
    """What the question says of its first name before it: `the director of the film The Salt Orchard`."""
    if question.form != "open" or not question.names:
        return None
    name = question.names[0]
    before = question.text[: question.text.find(name)]
    article = _DESCRIBED.search(before)
    if article is None or not any(
        token.lower() not in FUNCTION_WORDS for token in TOKEN.findall(before[article.end() :])
    ):
        return None
    return f"{before[article.start() :]}{name}".strip(' "“”')


def phrases_in(question: Question) -> list[str]:
    """The longest phrases of a question that names nothing."""
    words = in_words(question.text)
    phrases: list[list[str]] = [[]]
    for token in words.tokens:
        if token[0].isalnum() and token.lower() not in FUNCTION_WORDS:
            phrases[-1].append(token)
        elif phrases[-1]:
            phrases.append([])
    return sorted((" ".join(phrase) for phrase in phrases if phrase), key=lambda phrase: -len(phrase))[:2]
