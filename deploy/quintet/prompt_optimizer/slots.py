"""What a prompt's text must keep when it is rewritten: the slots that our reader of prompts fills or takes out."""

import re
from collections import Counter
from typing import Final

from quintet.methods.base.prompts import INSERTED
from quintet.roles.memory.summaries import NOT_ASKED

_SLOT: Final = re.compile(rf"\{{(?:{'|'.join(INSERTED)}|form \w+|end)\}}|{re.escape(NOT_ASKED)}")
_OF_FORM: Final = re.compile(r"\{(?:form \w+|end)\}")


def slots(text: str) -> tuple[str, ...]:
    """The slots in a text, in order: `{rules}`, `{form decision}`, `{end}`."""
    return tuple(_SLOT.findall(text))


def refusal(before: str, text: str) -> str:
    """Why a text cannot stand in place of another: expected, got. Empty: it can."""
    if not text.strip():
        return "expected a text, got none"
    wanted, found = Counter(slots(before)), Counter(slots(text))
    if lost := list((wanted - found).elements()):
        return f"expected {_listed(before)}, as in the prompt before, got a text without {', '.join(lost)}"
    if added := list((found - wanted).elements()):
        return f"expected {_listed(before) or 'no slot'}, as in the prompt before, got {', '.join(added)} besides"
    if _OF_FORM.findall(before) != _OF_FORM.findall(text):
        return f"expected {' before '.join(_OF_FORM.findall(before))}, got them in another order"
    return ""


def _listed(text: str) -> str:
    return ", ".join(slots(text))
