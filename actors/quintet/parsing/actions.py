"""An action as a world takes it, without what models put around it: emphasis, brackets, comments, further actions.

Brackets that belong to an action (`search[blue shirt]`, `click [12]`) are left alone, and so is everything inside but
emphasis and quotation marks around it. Lines within them become one.
"""

import re
import sys
from unicodedata import category

from quintet.parsing.notes import as_note

VERB = (
    r"(?:go|goto|walk|move|take|pick|grab|get|fetch|put|place|drop|open|close|clean|heat|cool|slice|cut|use|turn|toggle"
    r"|switch|examine|inspect|look|inventory|craft|wait|eat|drink|cook|chop|unlock|lock|insert|enter|push|pull|give|wear"
    r"|pour|fill|empty|activate|deactivate|light|dip|focus|connect)"
)
"""Verbs of text worlds in which letter case and brackets mean nothing."""
_STARTS_PLAIN = re.compile(rf"{VERB}\b", re.IGNORECASE)

_ROUND = {"[": "]", "(": ")", "{": "}", "<": ">", "“": "”", "‘": "’", "«": "»", '"': '"', "'": "'"}
_OPENINGS = {closing: opening for opening, closing in _ROUND.items() if opening in "[({<"}
_BEFORE, _BEHIND = "`*_>~=$|", "`*_.,;!#~$|"
_MOST_LAYERS = 6

_HTML = re.compile(
    r"\[/?act(?:ion)?\]|</?(?:code|kbd|pre|b|i|em|strong|action|act|command|answer|response|next_action|chosen_action)>",
    re.IGNORECASE,
)
NEXT_LABEL = (
    r"(?<=[\s.,;)\]*_`|-])(?:\*\*|__)?(?:Thought|Action|Act|Observation|THOUGHT|ACTION|OBSERVATION)"
    r"[ \t]?[0-9]{0,4}(?:\*\*|__)?[:：]|</(?:action|act|command)>"
)
"""The text that ends an action in the middle of its line."""
_LABEL_BELOW = re.compile(r"\n\W*(?:thought|action|observation)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\(?(?:[0-9]{1,3}|[a-z])[.)]|[-+•])[ \t]+(?=\S)")
_SPOKEN = re.compile(r"(?:think|say|tell|ask|answer|type|write)\b", re.IGNORECASE)
"""Actions whose words are free, so that nothing in them is a comment."""
_SECOND = re.compile(r"(?<=[ \t,;])\(?2[.)][ \t]")
_GOES_ON = re.compile(r"[ \t][\w/ ]*[0-9]")
"""Names and a number after emphasis, which make the emphasised word part of the action, as in `**take** mug 1`."""
_CODE = re.compile(r"(`{1,3}|\*\*|\"|“)(?=[^\s`*\"])([^`*\"“”\n]{1,400})(?:\1|”)(?=[\s,;:(]|\.\s)")

_OWN_SPACED = re.compile(
    r"(?i:click[ \t]?\[(?=[\d\W])|(?:hover|type|press|scroll|goto|tab_focus|stop|select|fill)[ \t]?\[)"
)
_OWN = re.compile(rf"[A-Za-z_]\w{{0,40}}\[|(?i:search|lookup|finish|click)[ \t]\[|{_OWN_SPACED.pattern}")
_BEGINS_OWN = re.compile(rf"[\s\W]{{0,8}}(?:{_OWN.pattern})")
_CALL = re.compile(r"(search|lookup|finish|click|hover|press|scroll|goto|tab_focus|stop)\(([^\n]*)\)", re.IGNORECASE)
"""An action with brackets of its own, written as the call of a function."""
_TEXTS = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_WITHIN = rf"(?:[^()'\"]|{_TEXTS}|\((?:[^()'\"]|{_TEXTS})*+\))*+"
_TOOL_CALL = re.compile(
    rf"(?!{VERB}\()[A-Za-z_]\w{{0,80}}\({_WITHIN}\)|[A-Za-z_]\w{{0,80}}\((?=[ \t]*\w+[ \t]*=){_WITHIN}\)"
)
"""The call of a tool in Python's syntax. Texts of its arguments may have sentences and brackets."""
_ADDRESSED = re.compile(r"goto[ \t]?\[[ \t]*https?://", re.IGNORECASE)
_LINK = re.compile(r"(goto[ \t]*\[)[^\[\]\n]{0,2000}\]\(([^\s()]{1,2000})\)", re.IGNORECASE)
_DRESSED = re.compile(r"\s*(?:(\*\*|__|[*_`\"'])((?:(?!\1).)+)\1|“([^“”]+)”)\s*")
"""Words in emphasis or quotation marks."""
_SPACES = re.compile(r"[ \t]*+")
_FILLER = re.compile(
    rf"(?:(?:i(?:['’]ll|['’]m going to| will| would| should| am going to)?|let['’]s|let me|let us|we|please|now"
    rf"|first|to|try|(?:my|the)(?: (?:next|best|first|right|only))? (?:action|step|move)"
    rf"(?: is| will be| would be| should be)"
    rf"|proceed|attempt|continue|need|want|choose|decide)[,:]?[ \t]+){{1,5}}(?={VERB}\b)",
    re.IGNORECASE,
)
_BEHIND_ACTION = re.compile(
    rf"""
      ; | \\n | [.!?][ \t](?=[A-Z("'])
    | (?<=[ \t])(?: -> | [→←#%] | => | <- | // | /\* | (?:--?|&&?|\|\|?|/)(?=[ \t]) | [–—]
                   | (?:and|or)[ \t](?={VERB}\b) )
    | (?<=[ \t])(?: Reason(?:ing)? | Explanation | Rationale | Note | Obs | Why | Justification ):
    | (?<=[ \t])[\[{{(](?: to | because | since | for | find | look | check | so | as | this | i )[ \t]
    | (?<=[ \t,])(?: and[ \t]then | then | afterwards? | followed[ \t]by | because | since
                   | so[ \t](?:that|as|[iI]|we) | as[ \t](?:the|it|[iI]|this|there) | in[ \t]order[ \t]to
                   | to[ \t](?:see|find|look|check|search|explore|inspect|locate|retrieve|obtain) )\b
    | ,[ \t](?={VERB}\b)
    """,
    re.VERBOSE,
)
_PLACEHOLDER = re.compile(r"[<\[{]([^<>\[\]{}]{1,80})[>\]}]")
_EMPHASIS = re.compile(r"\*\*|`")
_NAMED = re.compile(r"\b[A-Z][a-z]{1,40}(?=[ \t][0-9])")

_COMMAND = re.compile(rf"{VERB}(?:[ \t]+[\w'/#-]+(?:,(?=[ \t]))?){{0,25}}", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:i|you|we|it|should|must|would|will|need|task|try)\b", re.IGNORECASE)
_NONE = re.compile(
    r"\W*(?:none|n/?a|null|nothing|no action(?: needed| required)?|nil|-"
    r"|(?:(?:one|your|the|next|insert|an?|single|chosen) ){0,3}actions?(?: (?:here|goes here|to take))?)?\W*",
    re.IGNORECASE,
)
"""Words in place of a missing action, including those of the prescribed form."""

_MOST_COMMAND = 300
_LONGEST_ACTION = 2_000
"""Characters of an action that goes on over lines."""


def bare_action(text: str) -> str:
    """The first action in a line; empty if there is none.

    Args:
        text: one line, after its label and before the next one. Any text is allowed.
    """
    text = _LINK.sub(r"\1\2]", _HTML.sub("", text).strip(), count=1)
    if note := as_note(text):
        return note
    if found := _NUMBER.match(text):
        second = _SECOND.search(text, found.end())
        text = text[found.end() : second.start() if second else len(text)]
    found = _CODE.match(text)
    if found and not _GOES_ON.match(text, found.end()):
        text = found[2]
    text = strip_wrapping(text)
    text = _CALL.sub(r"\1[\2]", text) if _CALL.fullmatch(text) else text
    if end := _own_brackets(text):
        return _lowered(text[:end])
    if call := _TOOL_CALL.match(text):
        return call[0]
    if _SPOKEN.match(text):
        return text
    text = strip_wrapping(_alone(text))
    text = _plain(text) if _STARTS_PLAIN.match(text) else text
    return "" if _NONE.fullmatch(text) else text


def strip_wrapping(text: str) -> str:
    """Strip emphasis, quotation marks and brackets around the whole text, a prompt sign and a full stop."""
    first, end, layers = 0, len(text), 0
    while first < end:
        opening, closing = text[first], text[end - 1]
        if opening.isspace() or opening in _BEFORE or _is_picture(opening):
            first += 1
        elif closing.isspace() or closing in _BEHIND or _is_picture(closing):
            end -= 1
        elif _ROUND.get(opening) == closing and end - first > 1 and layers < _MOST_LAYERS:
            if opening in "[({<" and not _one_group(text, first, end):
                break
            first, end, layers = first + 1, end - 1, layers + 1
        else:
            break
    return text[first:end]


def _is_picture(character: str) -> bool:
    return not character.isascii() and category(character) == "So"


def command(line: str) -> str:
    """The action on an unlabelled line; empty if the line is prose or holds none."""
    if len(line) > _MOST_COMMAND:
        return ""
    if note := as_note(line):
        return note
    text = strip_wrapping(line)
    if (end := _own_brackets(text)) == len(text) and end:
        return _lowered(text)
    if not _COMMAND.fullmatch(text) or _PERSON.search(text):
        return ""
    return bare_action(text)


def starts_plainly(text: str) -> bool:
    """Whether a text begins with a verb of the worlds, or with an action that has brackets of its own."""
    text = text.lstrip("`*_\"'[(<“ \t")
    return _STARTS_PLAIN.match(text) is not None or _OWN.match(text) is not None


def call_as_action(name: str, given: str) -> str:
    """An action that is written as the call of a tool."""
    name = name.strip().replace("_", " ")
    if not given:
        return name
    return f"{name} {given}" if _STARTS_PLAIN.match(name) else f"{name}[{given}]"


def _alone(text: str) -> str:
    """The first action of a line, without a comment behind it."""
    if found := _FILLER.match(text):
        text = text[found.end() :]
    if found := _BEHIND_ACTION.search(text):
        text = text[: found.start()]
    text = text.rstrip(" \t,.")
    if text.endswith('"') and text.count('"') == 1:
        text = text[:-1]
    comment = max(text.find(" ("), text.find("\t("))
    if _OPENINGS.get(text[-1:], text) not in text:
        text = text[:-1]
    unclosed = text.count("(") > text.count(")")
    if comment > 0 and (unclosed or (text.endswith(")") and _one_group(text, comment + 1, len(text)))):
        text = text[:comment].rstrip(" \t,.")
    return text


def _plain(text: str) -> str:
    text = _PLACEHOLDER.sub(r"\1", _EMPHASIS.sub("", text))
    if text[0].isupper():
        return text.lower()
    return _NAMED.sub(lambda name: name[0].lower(), text)


def _lowered(text: str) -> str:
    """An action with brackets of its own, its name in lower case unless capitals are part of the name."""
    name, bracket, given = text.partition("[")
    name = name if _OWN_SPACED.match(text) else name.rstrip()
    if dressed := _DRESSED.fullmatch(given.removesuffix("]")):
        given = f"{dressed[2] or dressed[3]}]"
    return (name.lower() if name.istitle() or name.isupper() else name) + bracket + given


def whole_line(text: str, start: int) -> int:
    """Where the line that begins here ends; with an action whose bracket is open, the line in which it is closed."""
    end = _line_end(text, start)
    found = _BEGINS_OWN.match(text, start, end)
    at = found.end() - 1 if found else end
    while at < end and text[at] == "[":
        closed = _closed(text, at, start + _LONGEST_ACTION)
        if not closed or _LABEL_BELOW.search(text, end, closed):
            break
        end = max(end, _line_end(text, closed))
        spaces = _SPACES.match(text, closed)
        at = spaces.end() if spaces else end
    return end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _own_brackets(text: str) -> int:
    """The end of an action with brackets of its own; 0 if the text does not begin with one, or leaves them open."""
    if not _OWN.match(text):
        return 0
    if _STARTS_PLAIN.match(text) and not (text[: text.index("[")].isidentifier() or _ADDRESSED.match(text)):
        return 0
    end, at = 0, text.index("[")
    while at < len(text) and text[at] == "[":
        end = _closed(text, at)
        if not end:
            break
        found = _SPACES.match(text, end)
        at = found.end() if found else end
    return end


def _closed(text: str, start: int, before: int = sys.maxsize) -> int:
    """The position after the bracket that closes the one at `start`; 0 if it is not closed."""
    depth = 0
    for border in _BRACKET.finditer(text, start, before):
        depth += 1 if border[0] == "[" else -1
        if not depth:
            return border.end()
    return 0


_BRACKET = re.compile(r"[\[\]]")


def _one_group(text: str, start: int, end: int) -> bool:
    """Whether the bracket that opens a text is closed at its end, not before."""
    opening, depth = text[start], 0
    closing = _ROUND[opening]
    for at in range(start, end):
        depth += (text[at] == opening) - (text[at] == closing)
        if not depth:
            return at == end - 1
    return False
