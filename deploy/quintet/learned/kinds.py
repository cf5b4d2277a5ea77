"""The kinds of what is learnt. A new kind is a module that declares it, and its name here."""

from collections.abc import Mapping
from typing import Final

from quintet.learned.kind import ContentKind
from quintet.learned.memory import MemoryKind
from quintet.learned.plan import PlanKind
from quintet.messages.learning import LearntKind

CONTENT_KINDS: Final[Mapping[LearntKind, ContentKind]] = {"plan": PlanKind(), "memory": MemoryKind()}
