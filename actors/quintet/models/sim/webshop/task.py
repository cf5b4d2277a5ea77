"""A prompt about the shop: its goal, as instructions and plans word it, the page that is open, and one step."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.transcript import GOAL_LINE, Exchange, PromptTask, goals_in, split_exchange
from quintet.models.sim.webshop.gym_text import in_client_form
from quintet.models.sim.webshop.pages import ID, ShopAnswer, ShopPage, read_page
from quintet.models.sim.webshop.wanted import Wanted, read_wanted

Purpose: TypeAlias = Literal["shop", "search", "find", "shortlist", "match", "buy"]
"""`shop`: find and buy; all others are parts of it. `find`: look at products until one is settled on. `shortlist`: open
a product that fits, by what the page of results shows of it. `match`: find out whether a product fits. `buy`: a product
that was found."""

_INSTRUCTION = re.compile(r"^[ \t]*webshop\s+instruction[ \t]*:\s*(\S.*)$", re.MULTILINE | re.IGNORECASE)
"""On the page on which a task begins."""
_PAGE_BEGINS = re.compile(r"\[?back to search\]?(?=\s*(?:\[|page))|^[ \t]*webshop\b", re.IGNORECASE | re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FOUND = re.compile(rf"\bproduct\b[^\n\[]*:[ \t]*\[(?P<id>{ID})\]", re.IGNORECASE)

_PRODUCT = rf"(?:(?:the )?product )?\[?(?P<id>{ID})\]?"
_IT = r"(?:it|the product|that product|this product)"
_FIT = r"(?:match(?:es)?|fits?|meets?|has|with|for|against|to)(?: the)?(?: criteria| goal)?:?"
_FORMS: Mapping[Purpose, str] = {
    "search": r"search(?: the shop)? for (?P<wanted>.+)",
    "find": rf"(?:find|look for|open) (?:a|the) product (?:that|which) (?:best )?{_FIT} (?P<wanted>.+)",
    "shortlist": rf"shortlist\b.*? (?:that|which) {_FIT} (?P<wanted>.+)",
    "match": rf"(?:match|check|compare) (?:{_PRODUCT}|{_IT}) {_FIT} (?P<wanted>.+)",
    "buy": rf"buy (?:{_PRODUCT}|{_IT})(?: {_FIT} (?P<wanted>.+))?",
}
_PARTS: Mapping[Purpose, re.Pattern[str]] = {
    purpose: re.compile(form, re.IGNORECASE) for purpose, form in _FORMS.items()
}


@dataclass(frozen=True)
class ShopGoal:
    """The goal."""

    purpose: Purpose
    wanted: Wanted
    product: str = ""
    """The id that the goal names."""


@dataclass(frozen=True)
class ShopTask(PromptTask):
    """A task in the shop."""

    goal: ShopGoal
    page: ShopPage | None = None
    """The page that the prompt shows with the goal, the last if there are several."""
    found: str = ""
    """The id of the product that was found before; empty where the prompt names none."""


@lru_cache(maxsize=4096)
def read_shop_task(text: str) -> ShopTask | None:
    """The task that a text ends with, perhaps after worked examples."""
    begins = [*_PAGE_BEGINS.finditer(text)]
    asked = goals_in(text) or _INSTRUCTION.findall(in_client_form(text))
    if not begins or not asked:
        return None
    wording = asked[-1].rstrip(" \t.")
    shown = text[begins[-1].start() :]
    page = read_page(_BLANK_LINE.split(GOAL_LINE.split(shown, maxsplit=1)[0].rstrip(), maxsplit=1)[0])
    found = _FOUND.findall(text, begins[-1].start())
    return ShopTask(
        wording=wording,
        goal=read_shop_goal(wording) or ShopGoal("shop", read_wanted(wording)),
        page=None if isinstance(page, ShopAnswer) else page,
        found=found[-1] if found else "",
    )


@lru_cache(maxsize=4096)
def read_shop_goal(text: str) -> ShopGoal | None:
    """`search for red shoes`, `buy the product [B012345678] with size: 7`; None for what is no part of shopping."""
    plain = " ".join(text.split()).rstrip(" .")
    for purpose, form in _PARTS.items():
        if part := form.fullmatch(plain):
            said = part.groupdict()
            return ShopGoal(purpose, read_wanted(said.get("wanted") or ""), (said.get("id") or "").upper())
    return None


@lru_cache(maxsize=16384)
def read_shop_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, in lower case, and what the shop said to it."""
    action, said = split_exchange(answer, observation)
    action = " ".join(action.lower().split())
    return Exchange(action, said, (action, said))
