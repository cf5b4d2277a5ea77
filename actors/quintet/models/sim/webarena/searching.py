"""What to type into a search field for a goal."""

import re

from quintet.models.sim.webarena.task import HANDLE, WebGoal, focus_of, names_of_kinds, without_quotes
from quintet.models.sim.webarena.words import names_written, runs_of_names, stems_in_order, web_stems

_LONGEST_SEARCH = 200
"""Characters that are typed into a search field."""


def searches(goal: WebGoal) -> tuple[str, ...]:
    """What to type into a search field, and what to type if that found nothing: fewer and fewer words."""
    whole = words_to_search(goal)
    names = [" ".join(run) for run in runs_of_names(without_quotes(goal.text))]
    words = [word for word in re.findall(r"[\w'-]+", whole) if web_stems(word)]
    tail = [" ".join(words[-count:]) for count in (2, 1) if count < len(words)]
    return tuple(dict.fromkeys(filter(None, (whole, *names, *tail))))


def words_to_search(goal: WebGoal) -> str:
    """What to type into a search field: what the goal quotes, else its words in capitals, else its words."""
    if goal.quoted and goal.purpose != "change":
        return goal.quoted[0][1][:_LONGEST_SEARCH]
    named = [name for _, name in names_of_kinds(goal.text)]
    handles: list[str] = HANDLE.findall(goal.text)
    if (named or handles) and not names_written(without_quotes(goal.text)):
        return [*named, *handles][0][:_LONGEST_SEARCH]
    wanted = goal.words - goal.focus - (rank.measure if (rank := goal.rank) else frozenset())
    words = [word for word in re.findall(r"[\w'-]+", goal.text) if web_stems(word) & wanted]
    if goal.purpose == "change" and not names_written(without_quotes(goal.text)):
        return focus_of(goal.text.partition(" ")[2])[:_LONGEST_SEARCH]
    said = " ".join(dict.fromkeys(names_written(without_quotes(goal.text)) or words)) or " ".join(
        stems_in_order(goal.text)
    )
    return said[:_LONGEST_SEARCH]


def names_something(goal: WebGoal) -> bool:
    """Whether a goal quotes something, or names it with capitals."""
    return bool(goal.quoted or goal.kinds) or names_written(without_quotes(goal.text)) != []
