"""An action in a household, put into the form that the household takes."""

import re

from quintet.models.sim.alfworld.task import bare

_ARTICLE = re.compile(r"\b(?:the|an?|some) ")
_OPENING = re.compile(r"^(?:i (?:will |would )?|let me |now )+")
_X, _Y = r"(?P<x>[a-z]+(?: \d{1,9})?)", r"(?P<y>[a-z]+(?: \d{1,9})?)"
_PUTS_IN = re.compile(r"\bput <\w+> in/on\b")
_GOES = re.compile(r"^\W*go to <", re.MULTILINE)

_MEANT = (
    (re.compile(rf"(?:walk|head|move|return) (?:back )?to {_X}"), "go to {x}"),
    (re.compile(rf"(?:pick up|grab|get|fetch) {_X} (?:from|off|out of|in|on) {_Y}"), "take {x} from {y}"),
    (re.compile(rf"(?:turn|switch) on {_X}"), "use {x}"),
    (re.compile(rf"(?:wash|rinse) {_X} (?:with|in|using|at) {_Y}"), "clean {x} with {y}"),
    (re.compile(rf"(?P<verb>clean|heat|cool) {_X} (?:using|in|on|at) {_Y}"), "{verb} {x} with {y}"),
    (re.compile(r"(?:check|look at|see) (?:my )?(?:inventory|hands?)"), "inventory"),
    (re.compile(r"look around"), "look"),
)
_LAID = re.compile(rf"(?:put|place|move|lay)(?: down)? {_X} (?:in/on|into|onto|inside|in|on|to) {_Y}")


def formal(instructions: str, action: str) -> str | None:
    """The action in one of the forms that instructions list; as it is where its meaning is not clear.

    Returns:
        None where the instructions list no actions of a household.
    """
    if not _GOES.search(instructions):
        return None
    meant = _OPENING.sub("", _ARTICLE.sub("", bare(action)))
    if found := _LAID.fullmatch(meant):
        form = "put {x} in/on {y}" if _PUTS_IN.search(instructions) else "move {x} to {y}"
        return form.format(**found.groupdict())
    for said, form in _MEANT:
        if found := said.fullmatch(meant):
            return form.format(**found.groupdict())
    return meant
