"""When two texts of the shop mean the same: fuzzy comparison, and colors."""

from functools import cache
from importlib.resources import files

from quintet.environments.webshop.goals.goal import WantedOption

_ALIKE = 85
"""Percent, which two texts must exceed."""
_LATIN_1 = dict.fromkeys(range(128, 256))


def alike(one: str, other: str) -> bool:
    """Whether the sets of words of two texts are alike enough.

    Source: the released reward, which compares by `token_set_ratio` of thefuzz 0.19. This is the same by RapidFuzz: it
    drops the accented letters of Latin 1 and rounds to whole percent as that one does.
    """
    from rapidfuzz import fuzz, utils  # takes 30 ms to import

    texts = one.translate(_LATIN_1), other.translate(_LATIN_1)
    return round(fuzz.token_set_ratio(*texts, processor=utils.default_process)) > _ALIKE


def option_fits(wanted: WantedOption, chosen: str) -> bool:
    """Whether a chosen value is what a goal wants."""
    return alike(main_color(chosen), _as_compared(wanted))


def _as_compared(wanted: WantedOption) -> str:
    if wanted.name is None:
        return main_color(wanted.value)
    # The released code compares a synthetic goal's option as one pair: its color counts only where it is a plain one.
    pair = (wanted.name, wanted.value)
    return next((color for color in colors() if color in pair), " ".join(pair))


def main_color(value: str) -> str:
    """The first color of the released list that occurs in `value`: `red` also in `tired`; without one, `value`."""
    return next((color for color in colors() if color in value), value)


@cache
def colors() -> tuple[str, ...]:
    """The colors of the released list, in its order."""
    return tuple(files("quintet.environments.webshop.reward").joinpath("colors.txt").read_text("utf-8").split())
