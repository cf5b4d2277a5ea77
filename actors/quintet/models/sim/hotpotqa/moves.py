"""The next action: open the page of a name, look up words on it, follow what it names, and answer."""

import re
from collections.abc import Iterator, Sequence

from quintet.models.sim.hotpotqa.compare import unread
from quintet.models.sim.hotpotqa.evidence import Evidence, Lead, leads_in, ways_to
from quintet.models.sim.hotpotqa.names import in_words
from quintet.models.sim.hotpotqa.pages import SHOWN, bare, key_of
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.view import ReaderView
from quintet.models.sim.hotpotqa.words import FUNCTION_WORDS, meaning, meanings_in, word_stem
from quintet.models.sim.player import COMPLETED, FAILED, Move

_MOST_EFFORTS = 5
"""After so many what fits best is the answer: the papers allow six actions or more, the answer included."""
_MOST_CHOICES = 4
_SHORTEST_KEYWORD = 4
_MOST_LOOK_UPS = 2
_ARTICLE = re.compile(r"\bthe\b", re.IGNORECASE)

ABOUT_SEARCH, ABOUT_LOOKUP, ABOUT_ANSWER = r"\bsearch\b", r"\blook ?up\b", r"\b(?:finish|answer)\b"
"""Find the steps of a plan that are about these actions."""


def next_reading_move(view: ReaderView) -> Move:
    """The next action towards the goal."""
    if COMPLETED not in view.instead_of and _reached(view):
        return Move("What was asked for has been read.", COMPLETED)
    if view.task.aim == "page":
        name = view.task.name
        moves = _to_namesake(view, name.lower()) if view.known.tried(name) else _search_for(view, name, "The goal")
        return next(moves, Move(f"No page is found for {name}.", FAILED))
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


def _reached(view: ReaderView) -> bool:
    match view.task.aim:
        case "page":
            return view.is_open(view.task.name)
        case "fact":
            return view.believes_found()
        case "answer":
            return view.known.answer is not None


def _give(view: ReaderView, found: Evidence) -> Move | None:
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


def _on(view: ReaderView) -> list[Move]:
    """What could be read next: any one of the moves, the best first."""
    if view.known.efforts >= _MOST_EFFORTS and view.answers():
        return []
    leads = leads_in(view.question, view.known)
    near = [lead for lead in leads if lead.near]
    first = next(_to_names(view, instead=near), None)
    if first is not None:
        return [first]
    to_leads = [move for lead in (near or leads) for move in _search_for(view, lead.name, f"The page of {lead.title}")]
    looks = list(_look_ups(view))
    if looks and (not near or not to_leads or _was_led(view)):
        return looks[:1]
    if not to_leads:
        return []
    right, *others = to_leads[:_MOST_CHOICES]
    read = view.mind.misreading.answer(right, others, view.task.wording, "leads on", right.action)
    return [read, *(move for move in (right, *others) if move != read)]


def _was_led(view: ReaderView) -> bool:
    """Whether the open page was come to by another one. It is looked into before the next is opened."""
    here = view.known.here
    way = None if here is None else ways_to(view.question, view.known).get(key_of(here.title))
    return way is not None and way.hops > 1


def _to_names(view: ReaderView, instead: Sequence[Lead]) -> Iterator[Move]:
    """Open the pages of the names in the question, or similar ones.

    Args:
        view: what is known.
        instead: what a page names beside words of the question. It comes before further names, unless two are compared.
    """
    question, known = view.question, view.known
    yield from (move for key in reversed(known.missing) for move in _to_namesake(view, key))
    if not view.searches_names and (described := description_in(question)) is not None and not known.tried(described):
        yield from _search_for(view, described)
    if question.pair is not None or not instead:
        yield from (move for name in unread(question, known) for move in _search_for(view, name))
    if not question.names:
        for words in phrases_in(question):
            yield from _search_for(view, words)
    if not known.pages:
        for key in known.missing:
            yield from (_to_title(view, key, title) for title in _offered(view, key))


def _search_for(view: ReaderView, name: str, why: str = "The question") -> Iterator[Move]:
    action = f"search[{name}]"
    if not view.known.tried(name) and view.possible(action):
        yield Move(f"{why} names {name}, so I have to read about it.", action, ABOUT_SEARCH)


def _to_namesake(view: ReaderView, key: str) -> Iterator[Move]:
    """Open the offered title that is a name which was searched in vain, with more words or fewer."""
    words = set(map(word_stem, bare(key).split()))
    for title in _offered(view, key):
        of_title = set(map(word_stem, bare(title).split()))
        if words <= of_title or (of_title <= words and 2 * len(of_title) > len(words)):
            yield _to_title(view, key, title)


def _to_title(view: ReaderView, key: str, title: str) -> Move:
    return Move(f"There is no page {key}, and {title} may be meant.", f"search[{title}]", ABOUT_SEARCH)


def _offered(view: ReaderView, key: str) -> Sequence[str]:
    """The titles offered for what was searched in vain that share a word with it, the most alike first.

    None of them, as soon as one was opened.
    """
    offered = view.known.missing.get(key, ())
    if any(view.known.tried(title) for title in offered):
        return []
    asked, words = (set(map(word_stem, bare(text).split())) for text in (view.question.text, key))

    def order(title: str) -> tuple[bool, int, int, int]:
        of_title = set(map(word_stem, key_of(title).split()))
        return bare(title) != bare(key), -len(of_title & words), -len(of_title & asked), len(of_title)

    left = [title for title in offered if order(title)[1] and view.possible(f"search[{title}]")]
    return sorted(left, key=order)


def _look_ups(view: ReaderView) -> Iterator[Move]:
    """Look up the question's words on the open page, as far as nothing that was read says them."""
    here = view.known.here
    if here is None or len(here.sentences) < SHOWN:
        return
    best = next(iter(view.answers()), None)
    missing = best.missing if best is not None else view.question.terms
    words = (keyword(view.question.word_for(term)) for term in _in_turn(view, missing)[:_MOST_LOOK_UPS])
    for word in dict.fromkeys(words):
        action = f"lookup[{word}]"
        if word.lower() not in here.looked_up and view.possible(action):
            yield Move(f"The page of {here.title} may say more of it, so I look up {word}.", action, ABOUT_LOOKUP)


def _in_turn(view: ReaderView, terms: frozenset[str]) -> list[str]:
    """Terms in the order in which they are looked up.

    On a first page what the question says of its name comes first, since it leads on; on a later one what the answer
    stands beside.
    """
    question = view.question
    first = {question.focus} if _was_led(view) else meanings_in(description_in(question) or "")
    return sorted(in_order(question, terms), key=lambda term: term not in first)


def keyword(word: str) -> str:
    """The part of a word that its other forms have too, or the plainer word that means the same."""
    root, plain = word_stem(word.lower()), meaning(word)
    if not plain.startswith(root[:_SHORTEST_KEYWORD]):
        return plain or word
    return root if len(root) >= _SHORTEST_KEYWORD and word.lower().startswith(root) else word


def in_order(question: ParsedQuestion, terms: frozenset[str]) -> list[str]:
    """Terms in the order in which the question says them."""
    return [term for term in dict.fromkeys(term for term, _ in question.said) if term in terms]


def description_in(question: ParsedQuestion) -> str | None:
    """What the question says of its first name before it: `the director of the film The Salt Orchard`."""
    if question.form != "open" or not question.names:
        return None
    name = question.names[0]
    before = question.text[: question.text.find(name)]
    article = _ARTICLE.search(before)
    if article is None or not meanings_in(before[article.end() :]):
        return None
    return f"{before[article.start() :]}{name}".strip(' "“”')


def phrases_in(question: ParsedQuestion) -> list[str]:
    """The longest phrases of a question that names nothing."""
    words = in_words(question.text)
    phrases: list[list[str]] = [[]]
    for token in words.tokens:
        if token[0].isalnum() and token.lower() not in FUNCTION_WORDS:
            phrases[-1].append(token)
        elif phrases[-1]:
            phrases.append([])
    return sorted((" ".join(phrase) for phrase in phrases if phrase), key=lambda phrase: -len(phrase))[:2]
