"""What goals and observations in a household are about: kinds of things, and kinds of places."""

import re
from collections.abc import Mapping

from quintet.models.sim.alfworld.task import kind_in, names_in, read_house_goal
from quintet.models.sim.sorting import Topic

_THINGS: Mapping[str, str] = {
    "food": "apple bread egg lettuce potato tomato",
    "dishes": "bowl cup glassbottle mug plate winebottle",
    "kitchen tools": "butterknife dishsponge fork kettle knife ladle pan peppershaker pot saltshaker spatula spoon",
    "bathroom things": (
        "candle cloth handtowel papertowelroll soapbar soapbottle spraybottle tissuebox toiletpaper towel"
    ),
    "belongings": ("alarmclock book cd cellphone creditcard keychain laptop newspaper pen pencil remotecontrol watch"),
    "furnishing": "baseballbat basketball box desklamp floorlamp pillow statue tennisracket vase",
}
_PLACES: Mapping[str, str] = {
    "kitchen": (
        "cabinet coffeemachine countertop diningtable fridge garbagecan microwave sinkbasin stoveburner toaster"
    ),
    "bathroom": "bathtubbasin cart handtowelholder laundryhamper toilet toiletpaperhanger towelholder",
    "living room": "armchair bed coffeetable desk drawer dresser ottoman safe shelf sidetable sofa tvstand",
}
_REFUSED = re.compile(r"\s*nothing happens\b", re.IGNORECASE)
_ROOM = re.compile(r"you are in the middle of a room\b", re.IGNORECASE)
_ANSWER = re.compile(
    r"\byou (?:see|arrive|open|close|pick|move|put|heat|cool|clean|turn|are|slice)\b|\bis closed\b", re.IGNORECASE
)

_AREA_OF_THING = {thing: area for area, things in _THINGS.items() for thing in things.split()}
_AREA_OF_PLACE = {place: area for area, places in _PLACES.items() for place in places.split()}


def house_topic(text: str) -> Topic | None:
    """The kind of object of a goal, or the kind of place of an observation; None if the text is neither."""
    if (goal := read_house_goal(text)) is not None:
        kind = goal.thing or goal.lamp or ""
        return Topic(_AREA_OF_THING.get(kind, "other things"), kind)
    if _REFUSED.match(text):
        return Topic("refusals", "refusal")
    if _ROOM.search(text):
        return Topic("the whole room", "room")
    if not _ANSWER.search(text):
        return None
    place = next((kind for kind in map(kind_in, names_in(text)) if kind in _AREA_OF_PLACE), None)
    return Topic("hands", "hand") if place is None else Topic(_AREA_OF_PLACE[place], place)
