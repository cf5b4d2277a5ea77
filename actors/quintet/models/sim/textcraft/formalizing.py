"""An action in TextCraft, put into the form that the world takes."""

import re

_CRAFTS = re.compile(r"^\W*craft <", re.MULTILINE)
_OPENING = re.compile(r"^(?:i (?:will |would )?|let me |now )+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the|some) ", re.IGNORECASE)
_LOOKING = re.compile(r"(?:(?:look (?:at|into)|check|see|open) (?:my |the )?)?inventory\b.*", re.IGNORECASE)
_GETTING = re.compile(r"(?:get|fetch|take|obtain|collect) (?P<items>.+)", re.IGNORECASE)
_CRAFTING = re.compile(r"(?:craft|make) (?P<made>.+?) (?:using|from|out of|with) (?P<needs>.+)", re.IGNORECASE)
_JOIN = re.compile(r",? and |, ?")
_COUNT = re.compile(r"\d{1,9} ")


def formal(instructions: str, action: str) -> str | None:
    """The action in one of the forms that instructions list; as it is where its meaning is not clear.

    Returns:
        None where the instructions list no actions of TextCraft.
    """
    if not _CRAFTS.search(instructions):
        return None
    action = action.strip().rstrip(".")
    meant = _OPENING.sub("", action)
    if _LOOKING.fullmatch(meant):
        return "inventory"
    if found := _CRAFTING.fullmatch(meant):
        needs = ", ".join(map(_counted, _JOIN.split(found["needs"])))
        return f"craft {_counted(found['made'])} using {needs}"
    if found := _GETTING.fullmatch(meant):
        return f"get {_counted(found['items'])}"
    return action


def _counted(item: str) -> str:
    bare = _ARTICLE.sub("", item.strip())
    return bare if _COUNT.match(bare) else f"1 {bare}"
