"""What is known of a task in all its trials: the actions that were carried out, in words, and the notes."""

from dataclasses import dataclass, field

from quintet.messages.parts import History, NotesTaken

_UNDONE = "(undone) "


@dataclass
class TaskHistory:
    """The paper's history H, one sentence for each action, and what was noted down.

    Source: Devil's Advocate, equation 4 and section 4.1. Differs: what going back undid says so, since a state that is
    gone back to does not show which actions led to it.
    """

    _texts: list[str] = field(default_factory=list[str])
    _undone: list[bool] = field(default_factory=list[bool])
    _notes: list[str] = field(default_factory=list[str])

    @property
    def actions(self) -> int:
        """How many were carried out."""
        return len(self._texts)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences, oldest first."""
        pairs = zip(self._texts, self._undone, strict=True)
        return tuple(_UNDONE + sentence if undone else sentence for sentence, undone in pairs)

    @property
    def notes(self) -> tuple[str, ...]:
        """Oldest first."""
        return tuple(self._notes)

    @property
    def parts(self) -> tuple[History, NotesTaken]:
        """What prompts show of it."""
        return History(texts=self.sentences), NotesTaken(texts=self.notes)

    def add(self, sentence: str) -> None:
        """Add an action."""
        self._texts.append(sentence)
        self._undone.append(False)

    def undo(self, since: int) -> None:
        """Mark all but the first `since` actions as undone."""
        self._undone[since:] = [True] * (self.actions - since)

    def note(self, text: str) -> None:
        """Add a note."""
        self._notes.append(text)
