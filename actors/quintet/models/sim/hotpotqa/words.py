"""Plain English, word by word: which words carry meaning, and which of them mean about the same.

Nothing here comes from a corpus or from its questions: function words, endings, and groups of common words about
people, places, works and organizations.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

TOKEN = re.compile(
    r"[^\W_]+s['’](?= [^\W_])|\d+(?:[.,]\d+)*(?:st|nd|rd|th|s)?\b|[^\W_]+(?:['’\-–.](?=[^\W_])[^\W_]+)*|[^\w\s]"
)
"""A number, a word with its inner hyphens, dots and apostrophes, or one mark."""


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text between blanks."""
    return tuple(text.split())


FUNCTION_WORDS = frozenset(
    word_list(
        """a an the this that these those some any each every either neither both all no not nor and or but if than
        then so as of in on at by for from to with without into onto over under near between among within
        through during against about after before until since while when where who whom whose which what why how
        he she it they them him her his hers its their theirs we us our you your i my me is are was were be been
        being am do does did done has have had having can could may might must shall should will would also only
        just very more most less least much many few other another same such own there here out up down off upon
        along across around per via because although though however once again too ever never often later early
        earlier currently now today well known called name names titled title question answer following given
        including include includes like unlike prior several various numerous herself himself itself themselves
        one ones"""
    )
)
"""Words that say nothing of the world by themselves, or too little to tell sentences apart."""

_GROUPS = """
direct director filmmaker film-maker helm
write wrote written writer author novelist pen playwright poet
born birth birthplace birthday native
die died death dead
found founder foundation co-found co-founded establish establishment
create creator devise
compose composer composition music score soundtrack
locate located location lie lies situate situated stand stands
flow flows run runs
produce producer production
make made maker manufacture manufacturer build built builder construct construction
star act actor actress appear appearance cast role play played portray
sing singer sung sang vocal vocalist
perform performer performance record recording
release publish publication publisher issue debut premiere
marry married marriage husband wife spouse
father mother parent
son daughter child children
height tall high elevation altitude
length long
population inhabitant resident people live
profession occupation job
nationality citizen citizenship national
headquarter headquarters base based
study studied educate education attend graduate school alma-mater
teach taught teacher professor lecturer lecture
country nation
city town village municipality settlement
begin began begun start
end ended close closed cease
open opened opening inaugurate
win won winner award prize
lead led leader head
own owner ownership
discover discoverer discovery
invent inventor invention
paint painter painting
design designer architect
border adjoin neighbour neighbor
empty mouth join
magazine journal newspaper periodical
film movie picture
band group ensemble
song single track
company firm manufacturer corporation business
large big size area
old age
new young
cost price
travel travelled journey
grow grew grown
speak spoke spoken language
use used usage
hold held
"""

_PLURALS = (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", ""))
_SUFFIXES = word_list("ations ation ment ing ist ian ion er or ied ed al e y o")
_SHORTEST_STEM = 3

_UNITS = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBERS = {
    **{word: float(number) for number, word in enumerate(_UNITS)},
    **{word: float(10 * number) for number, word in enumerate(_TENS, 2)},
    "dozen": 12.0,
    "hundred": 100.0,
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_ENDING = re.compile(r"(?:st|nd|rd|th|s)\Z")

MONTHS = tuple(word_list("""january february march april may june july august september october november december"""))
PREPOSITIONS = frozenset(word_list("in on at by for from to with through into onto over under near of against beneath"))
NO_NAMES = frozenset(
    (*MONTHS, *word_list("monday tuesday wednesday thursday friday saturday sunday ad bc inc ltd co jr sr"))
)
"""Capitalized words that begin no name."""


def word_stem(word: str) -> str:
    """A word in lower case without its ending, roughly."""
    if not word.endswith(("ss", "us", "is")):
        ending = next((each for each in _PLURALS if word.endswith(each[0]) and len(word) > _SHORTEST_STEM), ("", ""))
        word = word.removesuffix(ending[0]) + ending[1]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            root = word[: -len(suffix)]
            return root[:-1] if len(root) > _SHORTEST_STEM and root[-1] == root[-2] else root
    return word


def _by_word() -> Mapping[str, str]:
    meanings: dict[str, str] = {}
    for group in _GROUPS.strip().splitlines():
        words = group.split()
        for word in words:
            meanings.setdefault(word, words[0])
            meanings.setdefault(word_stem(word), words[0])
    return meanings


_MEANINGS = _by_word()


def number_in(word: str) -> float | None:
    """The number that a word is: `1,140`, `six`, `forty-six`; None for any other word."""
    parts = word.lower().split("-")
    if all(part in _NUMBERS for part in parts):
        return sum(_NUMBERS[part] for part in parts)
    try:
        return float(_ENDING.sub("", word).replace(",", ""))
    except ValueError:
        return None


def scale_of(word: str) -> float:
    """What a number is multiplied by if the word follows it: `million`; 1 for any other word."""
    return _SCALES.get(word.lower(), 1.0)


@lru_cache(maxsize=65536)
def meaning(word: str) -> str:
    """What a word means: the first word of its group, else its stem; empty for a function word or a mark."""
    word = word.lower().removesuffix("'s").removesuffix("’s")
    if word in FUNCTION_WORDS or not word[:1].isalnum():
        return ""
    if word in _MEANINGS:
        return _MEANINGS[word]
    root = word_stem(word)
    return _MEANINGS.get(root, root)


def meanings_in(text: str) -> frozenset[str]:
    """What the words of a text mean."""
    return frozenset(filter(None, map(meaning, TOKEN.findall(text))))


_LARGER = word_list(
    """younger youngest later latest newer newest last recently recent longer longest taller tallest higher highest
    larger largest bigger biggest more most greater farther further"""
)
_SMALLER = word_list(
    """older oldest first earlier earliest shorter shortest smaller smallest lower lowest fewer fewest less least
    closer nearer"""
)
COMPARATIVES = {**dict.fromkeys(_LARGER, True), **dict.fromkeys(_SMALLER, False)}
"""Whether the larger of two values is meant; a later time is larger."""
OF_TIME = frozenset(
    word_list("""older oldest first earlier earliest younger youngest later latest newer newest last recently recent""")
)
"""Comparatives of times."""
