"""`[memory]`: the memory or notebook that a run is given, and how it recalls from it."""

from collections.abc import Mapping
from typing import Annotated, get_args

from pydantic import Field

from quintet.config.plug_in_sections import EndpointAddress, Name, PlugInSection
from quintet.config.values import AbsolutePath, PlaceOfVersion, Positive, Section
from quintet.messages.learning import MemoryKind
from quintet.messages.parts import BY_GOAL, Control, Notebook, Recollection, Retrieval, SectionRecall
from quintet.ports.effects import Effect


class EmbedderSettings(PlugInSection):
    """`[memory.embedder]`: what embeds the states of a memory."""

    name: Name = "wordllama"
    """Of `quintet list embedders`, or of an endpoint's model."""
    url: EndpointAddress = None
    """The base address of an endpoint; the name is sent to it as it is. None: the catalogue's embedder of that name, or
    else OpenAI's."""


_BYTES_OF_TOKEN = 4
"""About that of English in the tokens of today's models."""
_NEAREST = 8
"""Notes in a prompt, of the nearest."""


class NotesSection(Section):
    """`[memory.sections.NAME]`: which notes of a section of a notebook are shown."""

    retrieval: Retrieval | None = None
    """None: as the notebook's."""
    most: Positive | None = None
    """None: as the notebook's."""


class MemorySection(Section):
    """`[memory]`: the memory that a run is given, how it recalls, and what it may learn from."""

    source: Annotated[PlaceOfVersion | None, Effect.NONE] = None
    """`RUN[@VERSION]`, or a file: a memory that the executor recalls from before every turn, or a notebook that is
    recalled from where a task or a subtask begins; a run that learns begins with it."""
    kind: MemoryKind | None = None
    """`memory`: it has tuples. `notebook`: it has notes. None: what the source has, or what the run learns."""
    world: Annotated[str | None, Effect.NONE] = None
    """The world that a notebook is from, if a run that does not learn is shown one of another world. None: the run's
    own."""
    batch: Positive = 1
    """The batch memory to recall from; a method that plays every batch memory does not read it."""
    sections: Mapping[str, NotesSection] = {}
    """The sections of a notebook that are shown, by name and in this order, each with what the budget has left. None:
    all notes, whatever their section."""
    retrieval: Retrieval | None = None
    """What is shown of a memory, up to the budget. `type`: the newest tuples of a goal type and an observation type.
    `best`: those of the greatest reward within that type. `lexical`: the nearest by words within it. `embedding`: the
    nearest of the batch memory; no model is asked for types. Of a notebook, `all`: the newest notes. `type`: those for
    the task's type. `best`: those with the most votes. `lexical` and `embedding`: the nearest to the goal. None: `type`
    of a memory, `all` of a notebook."""
    budget: Annotated[int, Field(ge=0)] = 2_048
    """The most tokens of tuples or notes in a prompt, where four bytes count as a token."""
    most: Positive | None = None
    """The most notes in a prompt. None: of the nearest 8, otherwise as many as the budget allows."""
    control: Control = "none"
    """What is shown in place of what is found. `shuffled`: as many tuples of other goals, or notes for another task.
    `random`: texts as long that say nothing."""
    embedder: EmbedderSettings | None = None
    """What embeds its tuples or notes. None: `wordllama` if it recalls by embedding, else nothing."""
    trajectories: Annotated[tuple[AbsolutePath, ...], Effect.NONE] = ()
    """Files of trajectories to learn from, JSON lines."""
    from_runs: Annotated[tuple[AbsolutePath, ...], Effect.NONE] = ()
    """Folders of runs whose episodes are trajectories to learn from."""

    @property
    def kinds(self) -> tuple[MemoryKind, ...]:
        """What it may have: one, once its source was looked at."""
        return get_args(MemoryKind) if self.kind is None else (self.kind,)

    @property
    def embeds(self) -> EmbedderSettings | None:
        """What embeds its states; None: they are not embedded."""
        by_embedding = any(each.retrieval == "embedding" for each in self.recalled_sections)
        return self.embedder or (EmbedderSettings() if by_embedding else None)

    @property
    def forms(self) -> bool:
        """Whether there are trajectories to learn from."""
        return bool(self.trajectories or self.from_runs)

    @property
    def recalled_sections(self) -> tuple[SectionRecall, ...]:
        """What is recalled of a notebook."""
        named = self.sections or {"": NotesSection()}
        return tuple(self._recalled(name, each) for name, each in named.items())

    def _recalled(self, name: str, section: NotesSection) -> SectionRecall:
        retrieval = section.retrieval or self.retrieval or "all"
        nearest = _NEAREST if retrieval in BY_GOAL else None
        return SectionRecall(section=name, retrieval=retrieval, most=section.most or self.most or nearest)

    def recollection(self, seed: int) -> Recollection | Notebook:
        """How episodes recall, of no version yet.

        Args:
            seed: of the run, for the control.
        """
        budget = self.budget * _BYTES_OF_TOKEN
        if self.kind == "notebook":
            sections = self.recalled_sections
            return Notebook(version=0, notes=0, sections=sections, budget=budget, control=self.control, seed=seed)
        return Recollection(
            version=0,
            batches=0,
            batch=self.batch,
            retrieval=self.retrieval or "type",
            budget=budget,
            control=self.control,
            seed=seed,
        )
