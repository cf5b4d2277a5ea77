"""The memory's questions: which subgoals are complete, a summary of the past, types of texts, the type of a text."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.memory import Classify, Form, Recall, Summarize
from quintet.messages.message import Unanswered, request_name
from quintet.messages.prompts import Prompt
from quintet.messages.store import ListedType
from quintet.parsing.answers import missing_answer, on_one_line
from quintet.parsing.clusters import ItemCluster, read_clusters
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.parsing.indices import read_index
from quintet.ports.model import Completion, Finish, Legibility
from quintet.questions.question import Question
from quintet.questions.shape import Reading
from quintet.questions.shapes import MOST, Number, Rows, Text
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.turn_text import turn_of

_LONGEST_ITEM = 1_200
"""Characters of an item that are shown."""
_LONGEST_EXAMPLE = 600
"""Characters of an example that are shown."""

HISTORY: Final = (request_name(Summarize), f"{request_name(Summarize)}.evaluation")
"""The prompts of a history: of its summary, and of its evaluation."""
SORTING: Final = (request_name(Form), f"{request_name(Form)}.observations")
"""The prompts by which goals and observations are sorted into types."""
FINDING: Final = (request_name(Classify), request_name(Recall))
"""The prompts by which the type of a goal and of an observation is found."""


class _HistoryQuestion(Question[Summarize, str]):
    """A question about the past, which is shown as a conversation, so that a step's prompt adds only that step.

    Source: LDM2, section 3.2, equation 6, and table 4.
    """

    asks = Summarize

    def show(self, about: Summarize, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        seen = [*(step.observation for step in about.steps), about.observation]
        begun = conversations.opening(texts[self.instructions(about)], seen[0], about.goal)
        turns = (turn_of(step.action, after) for step, after in zip(about.steps, seen[1:], strict=True))
        return with_question(conversations.after(begun, turns), *self.says(about))


class EvaluationQuestion(_HistoryQuestion):
    """Which subgoals are complete."""

    shape = Rows(
        name="evaluation",
        about="Which subgoals are complete.",
        reader=read_evaluation,
        wanted="evaluation",
        key="subgoals",
        described="in order",
        row="subgoal",
        row_about="A subgoal, and how it stands.",
        row_fields={"goal": (str, "what has to be reached"), "complete": (bool, "")},
        row_says=(
            '"goal", what has to be reached, and "complete", true or false. Where evaluations are shown, the same '
            "stands as lines."
        ),
        template="subgoal {number}: {goal} - {complete}",
        values={
            "subgoals": (
                {"goal": "what has to be reached first", "complete": True},
                {"goal": "what has to be reached next", "complete": False},
            )
        },
    )

    def instructions(self, about: Summarize) -> str:
        return HISTORY[1]

    def says(self, about: Summarize) -> Iterator[str]:
        yield "Which subgoals are complete now?"


class SummaryQuestion(_HistoryQuestion):
    """A summary of the past."""

    shape = Text(
        name="summary",
        about="A summary of the past.",
        reader=read_summary,
        wanted="summary",
        key="summary",
        label="Summary: ",
        described="what was done and what it led to",
        says="a few short sentences on what was done and what it led to",
    )

    def says(self, about: Summarize) -> Iterator[str]:
        yield "Write the summary now."


class ItemsToSort(Struct, frozen=True, kw_only=True):
    """A list whose items a model sorts into types."""

    items: tuple[str, ...]
    heading: str
    """Stands above the list."""
    observations: bool = False
    """They are observations; else goals."""


class _ClustersShape(Rows[tuple[ItemCluster, ...]]):
    def reading(self, text: str, finish: Finish) -> Reading:
        return self.as_reading("clusters", [each._asdict() for each in self.read(text) or ()] or None, finish)


class SortedItems(Struct, frozen=True, kw_only=True):
    """What an answer assigns."""

    types: tuple[ItemCluster, ...]
    """Those that have items; each item is in the first type that names it."""
    missing: tuple[int, ...]
    invented: int
    """How many numbers are not in the list; of all answers."""
    asked_again: int = 0


class ClusterQuestion(Question[ItemsToSort, SortedItems]):
    """Types that share out the items of a list. What an answer leaves out or makes up is asked for once more.

    Source: LDM2, section 3.2, equations 7 and 8, and table 4.
    """

    asks = ItemsToSort
    wanted = "type"
    shape = _ClustersShape(
        name="clusters",
        about="Types that share out the numbers of a list.",
        reader=read_clusters,
        wanted="types",
        key="types",
        row="cluster",
        row_about="A type, with the numbers of what belongs to it.",
        row_fields={"name": (str, "short and general"), "numbers": (tuple[int, ...], "of the list")},
        row_says='"name", a short and general name, and "numbers", the list of the numbers that belong to it.',
        template="High-level Type{number}: {name} [{numbers}]",
        values={"types": ({"name": "a short name", "numbers": (1, 4, 5)}, {"name": "another name", "numbers": (2, 3)})},
    )

    def instructions(self, about: ItemsToSort) -> str:
        return SORTING[about.observations]

    def says(self, about: ItemsToSort) -> Iterator[str]:
        yield about.heading
        yield "\n".join(f"{number}. {shown_item(item)}" for number, item in enumerate(about.items, 1))

    def read(self, about: ItemsToSort, completion: Completion) -> SortedItems:
        left = dict.fromkeys(range(1, len(about.items) + 1))
        types: list[ItemCluster] = []
        invented = 0
        for cluster in (self.shape.read(completion.text) if completion.finish == "stop" else None) or ():
            invented += sum(number not in range(1, len(about.items) + 1) for number in cluster.numbers)
            own = tuple(number for number in dict.fromkeys(cluster.numbers) if number in left)
            for number in own:
                del left[number]
            if own:
                types.append(ItemCluster(cluster.name or f"type {len(types) + 1}", own))
        return SortedItems(types=tuple(types), missing=tuple(left), invented=invented)

    def legibility(self, about: ItemsToSort, completion: Completion) -> Legibility:
        return "read" if self.read(about, completion).types else "unread"

    def again(
        self, about: ItemsToSort, found: SortedItems | Unanswered, completion: Completion, *, structured: bool
    ) -> str:
        if isinstance(found, Unanswered) or not found.types:
            reminder = self.reminder(about, structured=structured)
            return f"{missing_answer(completion.finish, self.wanted)}. {reminder}"
        missing = [f"These numbers are in no type: {', '.join(map(str, found.missing))}."] if found.missing else []
        invented = ["Some numbers are not in the list."] if found.invented else []
        rule = "Write all types again, with every number of the list in exactly one of them."
        return " ".join((*missing, *invented, rule)) if missing or invented else ""

    def settle(self, first: SortedItems | Unanswered, second: SortedItems | Unanswered) -> SortedItems | Unanswered:
        assert isinstance(first, SortedItems)
        assert isinstance(second, SortedItems)
        best = min(first, second, key=lambda answer: (len(answer.missing), answer.invented))
        return replace(best, invented=first.invented + second.invented, asked_again=1)


class TypesToChooseFrom(Struct, frozen=True, kw_only=True):
    """Types, and a text that belongs to one of them."""

    types: tuple[ListedType, ...]
    context: str
    new: str
    observations: bool = False
    """It is an observation; else a goal."""


class IndexQuestion(Question[TypesToChooseFrom, int]):
    """The type of a text: its place in the list.

    Source: LDM2, section 3.1, equation 3, and table 4.
    """

    asks = TypesToChooseFrom
    wanted = "number of a type"
    shape = Number(
        name="index",
        about="A type, after its reason.",
        reader=partial(read_index, types=MOST),
        wanted="number of the type",
        key="type",
        described="the number of the type",
        template="[{value}]: {why}",
        values={"reason": "why this type fits best", "type": 2},
    )

    def instructions(self, about: TypesToChooseFrom) -> str:
        return FINDING[about.observations]

    def says(self, about: TypesToChooseFrom) -> Iterator[str]:
        yield about.context
        yield "Types:"
        for place, listed in enumerate(about.types, 1):  # numbers of types may have gaps
            examples = (on_one_line(text) for text in listed.examples)
            cut = (text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]} ..." for text in examples)
            yield "\n".join((f"[{place}] {listed.name}", *(f"- {text}" for text in cut)))
        yield about.new

    def find(self, about: TypesToChooseFrom, text: str) -> int | None:
        return read_index(text, len(about.types))


def shown_item(text: str) -> str:
    """An item of a list, on one line."""
    line = on_one_line(text)
    return line if len(line) <= _LONGEST_ITEM else f"{line[:_LONGEST_ITEM]} ..."


EVALUATION, SUMMARY, CLUSTERS, INDEX = EvaluationQuestion(), SummaryQuestion(), ClusterQuestion(), IndexQuestion()
REMEMBERING = (EVALUATION, SUMMARY, CLUSTERS, INDEX)
