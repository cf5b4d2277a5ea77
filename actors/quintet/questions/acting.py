"""The executor's questions: an action with its thought or without, several actions, a thought, an action reworded."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from quintet.messages.execution import Act, Claim, Decide, Decision, Retarget, Retargeted, Unreadable
from quintet.parsing.answers import missing_answer
from quintet.parsing.candidates import rank, read_candidates
from quintet.parsing.decisions import read_action, read_thought
from quintet.parsing.labelled import read_retargeted
from quintet.ports.model import Finish
from quintet.questions.question import AboutT, Question, RequestQuestion
from quintet.questions.shape import Reading
from quintet.questions.shapes import Rows, Text, ThoughtAndAction, decided
from quintet.roles.turn_text import SILENCE


class ActionToRewrite(Struct, frozen=True, kw_only=True):
    """An action that is to be rewritten in the world's syntax."""

    action: str


class _CandidatesShape(Rows[Sequence[tuple[Act | Claim, float | None]]]):
    def reading(self, text: str, finish: Finish) -> Reading:
        read = read_candidates(text, finish)
        if not read:
            return {"unreadable": missing_answer(finish, self.wanted)}
        ranking = rank(read, len(read))
        candidates = [{**decided(found), "confidence": round(share, 6)} for found, share in ranking.candidates]
        return {"candidates": candidates, "notes": ["confidences were changed"] * ranking.adjusted}


class _DecisionQuestion(Question[AboutT, Act | Claim]):
    def find(self, about: AboutT, text: str) -> Act | Claim | None:
        found: Decision | None = self.shape.read(text)
        return None if isinstance(found, Unreadable) else found


class DecisionQuestion(_DecisionQuestion[Decide]):
    """A thought and the action that follows from it, in one completion."""

    asks = Decide
    shape = ThoughtAndAction(
        name="decision",
        tool="act",
        about="A thought and the action that follows from it.",
        wanted="action",
        thought="what you know so far and what has to happen next",
        action="one action",
    )


class ActionQuestion(_DecisionQuestion[Decide | ActionToRewrite]):
    """An action alone: in place of a turn, after a thought, or another one rewritten."""

    asks = Decide
    shape = Text(
        name="action",
        tool="act",
        kind=None,
        about="An action alone.",
        reader=read_action,
        wanted="action",
        key="action",
        label="Action: ",
        described="one action",
        says="the action",
    )


class ThoughtQuestion(Question[Decide, str]):
    """A thought alone.

    Source: AutoPlan, section 3.2.1, equation 3.
    """

    asks = Decide
    shape = Text(
        name="thought",
        kind=None,
        about="A thought alone.",
        reader=read_thought,
        wanted="thought",
        key="thought",
        label="Thought: ",
        described="about the one action that comes next",
        says="",
        whole="Answer with this thought alone:",
    )


class CandidatesQuestion(Question[Decide, Sequence[tuple[Act | Claim, float | None]]]):
    """Several actions, each with the model's confidence in it, in one completion."""

    asks = Decide
    shape = _CandidatesShape(
        name="candidates",
        about="Several actions, each with the model's confidence in it.",
        reader=read_candidates,
        wanted="action",
        key="candidates",
        described="different actions, the most promising first",
        row="candidate",
        row_about="An action that could come next.",
        row_fields={"action": (str, "one action"), "confidence": (float, "from 0 to 1; all sum to 1")},
        row_says='"action", one action, and "confidence", the number. Leave out the thought.',
        template="Action: {action} (confidence {confidence})",
        values={
            "candidates": (
                {"action": "one action", "confidence": 0.6},
                {"action": "another action", "confidence": 0.4},
            )
        },
    )

    def find(self, about: Decide, text: str) -> Sequence[tuple[Act | Claim, float | None]] | None:
        return self.shape.read(text) or None


class RetargetQuestion(RequestQuestion[Retarget, str, Retargeted]):
    """The action that does now what another would have done, where going back led to a state that looks different.

    Source: Devil's Advocate, section 3.3.2 and appendix (element mapping). Differs: the whole action is asked for.
    """

    asks = Retarget
    shape = Text(
        name="retargeted",
        about="The same move in other words.",
        reader=read_retargeted,
        wanted="action",
        key="new_action",
        label="New action is: ",
        described="one action",
        says="the action",
    )

    def says(self, about: Retarget) -> Iterator[str]:
        yield f"What was seen then:\n{about.seen.strip() or SILENCE}"
        yield f"The action that was chosen then: {about.action}"
        yield f"What is seen now:\n{about.now.strip() or SILENCE}"
        yield "Which action does the same now?"

    def reply(self, request: Retarget, found: Sequence[str]) -> Retargeted:
        return Retargeted(action=found[0])


DECISION, ACTION, THOUGHT, CANDIDATES, RETARGET = (
    DecisionQuestion(),
    ActionQuestion(),
    ThoughtQuestion(),
    CandidatesQuestion(),
    RetargetQuestion(),
)
ACTING = (DECISION, ACTION, THOUGHT, CANDIDATES, RETARGET)
