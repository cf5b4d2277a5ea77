"""Recalls tuples before the executor's turns, and notes where a task or a subtask begins; words what was recalled.

What tuples say, and how the task stands, is said for one turn alone.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from quintet.messages.execution import Act, Candidate, Turn
from quintet.messages.memory import Classify, MemoryTuple, Recall, RecallNotes, StoredTuple, TuplesRecalled
from quintet.messages.notes import Note
from quintet.messages.parts import BY_GOAL, BY_TASK, Notebook, PromptPart, Recollection, SectionRecall, Situation
from quintet.ports.roles import Roles
from quintet.roles.conversations import paragraphs
from quintet.roles.turn_text import NOTHING_DONE, SILENCE, turn_text

_HEADING = "Examples from other tasks, of what was done in situations like this one:"
_FEWEST_TO_AGREE = 2
"""Tuples."""


class Recollections:
    """Recalls for the turns of one request, and keeps their types; without a memory in its `parts` nobody is asked."""

    def __init__(self, roles: Roles, goal: str, parts: Sequence[PromptPart]) -> None:
        found = next((part for part in parts if isinstance(part, Recollection)), None)
        self._recollection = found if found is not None and found.batches else None
        self._roles = roles
        self._goal = goal
        self._goal_type = found.goal_type if found is not None and found.goal == goal else None
        self._observation_types: dict[str, int] = {}

    async def recall(self, observation: str) -> tuple[StoredTuple, ...]:
        """The tuples about what is seen now."""
        part = self._recollection
        if part is None:
            return ()
        recalled = await self._roles.ask(
            Recall(
                version=part.version,
                batch=part.batch,
                goal=self._goal,
                observation=observation,
                goal_type=self._goal_type,
                observation_type=self._observation_types.get(observation),
                retrieval=part.retrieval,
                budget=part.budget,
                control=part.control,
                seed=part.seed,
            )
        )
        self._learn(observation, recalled)
        return recalled.tuples

    def _learn(self, observation: str, recalled: TuplesRecalled) -> None:
        if recalled.goal_type is not None:
            self._goal_type = recalled.goal_type
            if recalled.observation_type is not None:
                self._observation_types[observation] = recalled.observation_type

    def majority(self, tuples: Sequence[StoredTuple], instead_of: Collection[str]) -> Candidate | None:
        """The action that enough of the tuples have, for certain; None: the model is to be asked.

        Source: LDM2, section 3.3: "highly consistent" actions are taken as they are. Ours: the share, of two tuples at
        least, and that its confidence is 1.
        """
        share = self._recollection.agreement if self._recollection is not None else None
        if share is None or len(tuples) < _FEWEST_TO_AGREE:
            return None
        action, count = Counter(each.tuple.action for each in tuples).most_common(1)[0]
        if count < share * len(tuples) or action in instead_of:
            return None
        decision = Act(thought="", action=action)
        return Candidate(completion=turn_text("", decision), decision=decision, confidence=1.0)


async def with_goal_type(roles: Roles, recollection: Recollection, goal: str, *, batch: int) -> Recollection:
    """The same for a batch memory, with the type of a goal: where a task or subtask begins, it is asked for once."""
    if recollection.retrieval == "embedding" or not recollection.batches:
        return replace(recollection, batch=batch)
    if recollection.goal == goal and recollection.batch == batch:
        return recollection
    asked = await roles.ask(Classify(version=recollection.version, batch=batch, goal=goal))
    return replace(recollection, batch=batch, goal=goal, goal_type=asked.goal_type)


async def with_notes(roles: Roles, notebook: Notebook, goal: str, task_type: str) -> Notebook:
    """The same with the notes for a goal. Where they are the same for all goals of a task, they are recalled once."""
    by_goal = any(each.retrieval in BY_GOAL for each in notebook.sections)
    same = notebook.goal == goal if by_goal else bool(notebook.goal)
    if same or not notebook.notes:
        return notebook
    recalled: list[Note] = []
    for each in notebook.sections:
        left = notebook.budget - sum(note.size for note in recalled)
        reply = await roles.ask(_section_request(notebook, each, goal, task_type, left))
        recalled += (found.note for found in reply.notes)
    return replace(notebook, goal=goal, recalled=tuple(recalled))


def _section_request(notebook: Notebook, section: SectionRecall, goal: str, task_type: str, budget: int) -> RecallNotes:
    is_shared = notebook.control == "shuffled" and section.retrieval not in BY_TASK
    return RecallNotes(
        version=notebook.version,
        goal=goal,
        task_type=task_type,
        retrieval=section.retrieval,
        section=section.section,
        budget=budget,
        most=section.most,
        control="none" if is_shared else notebook.control,  # another task would be shown the same
        seed=notebook.seed,
    )


def seen_now(setting: str, turns: Sequence[Turn], situation: Situation | None = None) -> str:
    """What a turn's decision is about: the situation's observation, else the last turn's, else the setting."""
    if situation is not None:
        return situation.observation
    return turns[-1].observation if turns else setting


def words_for_turn(tuples: Sequence[StoredTuple], situation: Situation | None = None) -> tuple[str, ...]:
    """What a turn's prompt adds to its last message: numbered examples, and then the situation, if there is one.

    Source: LDM2, tables 5 and 6.
    """
    examples = [f"{number}. {_example(each)}" for number, each in enumerate(tuples, 1)]
    now = "" if situation is None else f"Now:\n{_lines(situation)}"
    return tuple(text for text in (paragraphs(*([_HEADING] if examples else []), *examples), now) if text)


def situation_of(parts: Sequence[PromptPart]) -> Situation | None:
    """The situation among prompt parts; None: there is none."""
    return next((part for part in parts if isinstance(part, Situation)), None)


def _example(stored: StoredTuple) -> str:
    return f"{_lines(stored.tuple)}\nAction: {stored.tuple.action}"


def _lines(of: MemoryTuple | Situation) -> str:
    labelled = {
        "Observation": _dense(of.observation) or SILENCE,
        "Instruction": _unsaid_goal(of) if isinstance(of, MemoryTuple) else "",
        "Evaluation": "; ".join(of.evaluation.splitlines()),
        "Summary": of.summary,
    }
    return "\n".join(f"{label}: {text}" for label, text in labelled.items() if text)


def _dense(text: str) -> str:
    """A text without blank lines, which separate examples."""
    return "\n".join(line for line in text.splitlines() if line.strip())


def _unsaid_goal(of: MemoryTuple) -> str:
    """The goal of a first step without an evaluation: nothing else says what the step was for.

    Source: LDM2, table 5: on WebShop the tuples of first steps show their instructions.
    """
    return of.goal if not of.evaluation and of.summary == NOTHING_DONE else ""
