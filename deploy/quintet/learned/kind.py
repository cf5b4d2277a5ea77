"""What a kind of learnt content offers to the rest of a run."""

from typing import Protocol

from quintet.messages.parts import PromptPart, Recollection


class ContentKind(Protocol):
    """A kind of what is learnt."""

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[PromptPart, ...]:
        """The prompt parts that an episode gets from a version.

        Args:
            version: its number.
            content: as it was published.
            recollection: how the run recalls from a memory, of no version yet; None: it has none.
        """
        ...
