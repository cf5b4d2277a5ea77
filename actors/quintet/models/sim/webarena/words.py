"""The words of goals and pages: which of them say something, and how the same word looks in other forms."""

import re
from functools import lru_cache

from quintet.models.sim.stems import stem_of, tokens

_FRAME_WORDS = (
    "a about again all already also altogether am an and answer any anything are as asks at be been by call "
    "called can could current currently d did do does each ever every everybody everything exact find finds first "
    "for form from gave get gets give given gives go got had has have having he her here him his how i if in into "
    "is it its just let list lists long look make many me more most much my navigate need no nobody not of often "
    "on one only open opens or other our out own page pages place placed please question return s say see "
    "sees set shall she show shown shows site so some somebody someone something still take tell tells than that "
    "the their them then there these they thing things this those time times to together us use want "
    "wants was we website were what when where whether which who whom whose will with within would write wrote "
    "yes you your up here still according may might made now yet others altogether alone going too us like "
)
_FRAME = frozenset(_FRAME_WORDS.split())
"""Words that say nothing of what is looked for."""
_SAME = (
    "order orders ordered purchase purchases purchased bought buy parcel",
    "canceled cancelled cancel",
    "pending wait waits waiting await awaiting unapproved",
    "sale sales sold sell sells",
    "customer customers client clients",
    "assign assigned assignee assignees",
    "issue issues bug bugs ticket tickets",
    "member members collaborator collaborators",
    "delete deleted remove removed",
    "cart basket",
    "picture pictures photo photos image images",
    "cost costs price prices priced",
    "shipped ship shipping delivery delivered",
    "return returns returned",
    "ended finished closed",
    "add adds added put puts",
    "new newest latest recent",
    "total totals sum sums amount",
    "guarantee guarantees guaranteed warranty",
    "quantity quantities qty",
    "coupon coupons discount discounts voucher vouchers promo",
    "moderator moderators moderate moderates moderated",
)
"""Words that mean about the same where websites speak of them, the one that stands for them first."""
_TO_DO = re.compile(r"\bto-dos?\b", re.IGNORECASE)
_TIMES = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)", re.ASCII
)
_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z\"])")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)")


_MEANING = {stem_of(word): stem_of(group.split()[0]) for group in _SAME for word in group.split()}


@lru_cache(maxsize=16384)
def web_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something; words that mean about the same have one."""
    return frozenset(stems_in_order(text))


@lru_cache(maxsize=4096)
def stems_in_order(text: str) -> tuple[str, ...]:
    """The same in the order of the text, each once."""
    return tuple(
        dict.fromkeys(
            _meaning(token) for token in tokens(_TO_DO.sub("todo", text.replace("_", " "))) if token not in _FRAME
        )
    )


def _meaning(word: str) -> str:
    if word[:1].isdigit():
        return word
    stem = stem_of(word)
    return _MEANING.get(stem, stem)


def says_nothing(word: str) -> bool:
    """Whether a word is of the frame of a request."""
    return word.lower() in _FRAME


def quoted_in(text: str) -> tuple[tuple[int, str], ...]:
    """What a text quotes, each with the place where its quotation begins."""
    return tuple((found.start(), next(filter(None, found.groups()))) for found in _QUOTED.finditer(text))


def web_sentences(text: str) -> list[str]:
    """Its sentences."""
    return _SENTENCE_END.split(text)


def names_written(text: str) -> list[str]:
    """The longest run of words in capitals."""
    runs = runs_of_names(text)
    return max(runs, key=len) if runs else []


def runs_of_names(text: str) -> list[list[str]]:
    """Words in capitals that follow each other, but for the first of a sentence and names of months and days."""
    runs: list[list[str]] = [[]]
    for sentence in web_sentences(text):
        runs.append([])
        for word in re.findall(r"[\w'-]+|[,;:.]", sentence)[1:]:
            if word[:1].isupper() and not _TIMES.match(word) and web_stems(word):
                runs[-1].append(word)
            elif runs[-1]:
                runs.append([])
    return [run for run in runs if run]
