"""Questions that judge: marks of states, choices, alignment with a plan, completion; and the judge's, on answers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean

from msgspec.structs import replace

from quintet.messages.grading import Grade, Graded
from quintet.messages.message import Unanswered, request_name
from quintet.messages.parts import History, NotesTaken, PromptPart, TaskSteps
from quintet.messages.prompts import Prompt, assistant, user
from quintet.messages.reflection import (
    Align,
    Aligned,
    AnswerGiven,
    AttemptJudged,
    Choose,
    Chosen,
    GiveAnswer,
    Judge,
    JudgeAttempt,
    Judged,
    Value,
    Valued,
)
from quintet.parsing.answers import on_one_line, reason
from quintet.parsing.descriptions import Alignment, read_alignment
from quintet.parsing.judgements import read_grade, read_verdict
from quintet.parsing.labelled import read_given_answer
from quintet.parsing.verdicts import HIGHEST_MARK, LOWEST_MARK, read_choice, read_mark
from quintet.ports.model import Completion, Finish
from quintet.questions.question import RequestQuestion, TaskQuestion
from quintet.questions.shape import Reading
from quintet.questions.shapes import MOST, Number, Text, YesOrNo
from quintet.roles.conversations import Conversations, paragraphs
from quintet.roles.turn_text import SILENCE, turn_as_text, turns_as_texts

_SCALE = f"from {LOWEST_MARK} to {HIGHEST_MARK}"


class ValueQuestion(TaskQuestion[Value, float, Valued]):
    """A mark of the state that some turns led to.

    Source: LATS (Zhou et al., 2024), section 4.1; Tree of Thoughts (Yao et al., 2023), section 3. Differs: no
    self-consistency is mixed into the value here, and one call marks one state.
    """

    asks = Value
    wanted = f"mark {_SCALE}"
    shape = Number(
        name="value",
        about="A mark, after its reason.",
        reader=read_mark,
        wanted="mark",
        kind="mark",
        key="mark",
        described=_SCALE,
        says=f"a whole number {_SCALE}",
        template="{why}\nMark: {value}",
        values={"mark": 5},
    )

    def says(self, about: Value) -> Iterator[str]:
        yield f"How promising is this? Give your mark, {_SCALE}."

    def reply(self, request: Value, found: Sequence[float]) -> Valued:
        return Valued(value=(fmean(found) - LOWEST_MARK) / (HIGHEST_MARK - LOWEST_MARK))


class ChooseQuestion(TaskQuestion[Choose, int, Chosen]):
    """Which of several attempts at a task is best. Nothing is said of what they earned.

    Source: as of `ValueQuestion`.
    """

    asks = Choose
    shape = Number(
        name="choice",
        about="A choice, after its reason.",
        reader=partial(read_choice, options=MOST),
        wanted="choice",
        key="choice",
        described="the number of the best option",
        template="{why}\nChoice: {value}",
        values={"choice": 1},
    )

    def wants(self, about: Choose) -> str:
        return f"choice from 1 to {len(about.options)}"

    def says(self, about: Choose) -> Iterator[str]:
        for number, turns in enumerate(about.options, 1):
            yield f"Option {number}:"
            last = len(turns) - 1 if number in about.ended else None
            yield from (turn_as_text(turn, seen=at != last) for at, turn in enumerate(turns))
            if not turns:
                yield SILENCE
        yield f"Which option is best? Give your {self.wants(about)}."

    def find(self, about: Choose, text: str) -> int | None:
        return read_choice(text, len(about.options))

    def reply(self, request: Choose, found: Sequence[int]) -> Chosen:
        counts = Counter(found)
        votes = tuple(counts[each] for each in range(1, len(request.options) + 1))
        return Chosen(number=votes.index(max(votes)) + 1, votes=votes)


class _AlignmentShape(YesOrNo[Alignment]):
    def ending(self, *, structured: bool) -> str:
        where = f' "{self.why}"' if structured else ""
        end = super().ending(structured=structured).removeprefix("End")
        return f'Begin{where} with "The action is to", and end{end}'

    def reading(self, text: str, finish: Finish) -> Reading:
        alignment = read_alignment(text if finish == "stop" else "")
        return {
            "description": alignment.description or None,
            **self.as_reading(self.key, alignment.aligned, finish),
        }


class AlignQuestion(TaskQuestion[Align, Alignment, Aligned]):
    """What an action did, and whether it serves the step of the plan that is pursued, in one prompt.

    Without a description, which is rare, the action itself describes it.

    Source: Devil's Advocate, equations 5 and 9, and appendix. Differs: the goal is shown too.
    """

    asks = Align
    shape = _AlignmentShape(
        name="alignment",
        about="What an action did, and whether it serves the plan.",
        reader=read_alignment,
        key="aligned",
        described="whether the action serves the plan",
        says="true for YES, false for NO",
        why="description",
        why_described="one sentence that begins with: The action is to",
        why_says='one sentence that begins with "The action is to" and says what the action did',
        values={"description": "The action is to ... (then whether it serves the plan)", "aligned": True},
    )

    def parts(self, request: Align) -> tuple[PromptPart, ...]:
        return (*request.parts, TaskSteps(steps=request.steps))

    def says(self, about: Align) -> Iterator[str]:
        yield f"Before the action:\n{_gone(_seen(about.before, about.setting), about.after)}"
        yield f"The action: {about.action}"
        yield f"After the action:\n{_seen(about.after, about.setting)}"
        step = f"{about.current}. {about.steps[about.current - 1]}"
        yield f"What is the action about, and does it serve the plan? The step to do now: {step}"

    def read(self, about: Align, completion: Completion) -> Alignment | Unanswered:
        found = super().read(about, completion)
        if isinstance(found, Alignment) and found.aligned is None:
            return Unanswered(reason=f"the model {reason('stop', self.shape.wanted)}", said=found.description)
        return found

    def reminder(self, about: Align, *, structured: bool) -> str:
        return f"Does the action serve the plan? {super().reminder(about, structured=structured)}"

    def settle(self, first: Alignment | Unanswered, second: Alignment | Unanswered) -> Alignment | Unanswered:
        before = first.said if isinstance(first, Unanswered) else first.description
        if isinstance(second, Unanswered):
            return replace(second, said=second.said or before)
        return second._replace(description=second.description or before)

    def reply(self, request: Align, found: Sequence[Alignment]) -> Aligned:
        (alignment,) = found
        description = alignment.description or f"The action is to {request.action}"
        return Aligned(description=description, aligned=bool(alignment.aligned))


class JudgeQuestion(TaskQuestion[Judge, bool, Judged]):
    """Whether the task, or a step of its plan, is completed. Nothing is said of rewards.

    What is judged is said last, so that the prompts about a task and its steps begin alike.

    Source: Devil's Advocate, equations 6 and 7, and appendix. Differs: how a step is judged is ours, since only the
    task's prompt is printed.
    """

    asks = Judge
    shape = YesOrNo(
        name="verdict",
        about="Whether something is completed, after the reason.",
        reader=read_verdict,
        key="completed",
        values={"reason": "why, in short (then whether it is completed)", "completed": False},
    )

    def parts(self, request: Judge) -> tuple[PromptPart, ...]:
        plan = TaskSteps(steps=request.steps)
        return (*request.parts, plan, History(texts=request.history), NotesTaken(texts=request.notes))

    def says(self, about: Judge) -> Iterator[str]:
        yield f"What is seen now:\n{_seen(about.observation, about.setting)}"
        if about.current is None:
            yield "Is the goal reached?"
        else:
            yield f"Is this step done, or not needed any more? Step {about.current}: {about.steps[about.current - 1]}"

    def reply(self, request: Judge, found: Sequence[bool]) -> Judged:
        return Judged(completed=found[0])


_JUDGE = JudgeQuestion()


class GiveAnswerQuestion(RequestQuestion[GiveAnswer, str, AnswerGiven]):
    """The answer to a task, after the verdict that it is completed: what the judge was shown is not shown again.

    Source: Devil's Advocate, appendix (answer delivery). Differs: there it is a prompt of its own, without the plan.
    """

    asks = GiveAnswer
    prompts = (request_name(Judge), request_name(GiveAnswer))
    shape = Text(
        name="answer",
        about="The answer to a task.",
        reader=read_given_answer,
        wanted="answer",
        key="answer",
        label="###Answer: ",
        described="the answer alone",
    )

    def show(self, about: GiveAnswer, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        judged = _JUDGE.show(about.judged, texts, conversations)
        return judged.extend(assistant("YES"), user(paragraphs(*self.says(about), texts[self.prompts[1]])))

    def says(self, about: GiveAnswer) -> Iterator[str]:
        if about.observation != about.judged.observation:
            yield f"What is seen now, in full:\n{about.observation.strip() or SILENCE}"

    def reply(self, request: GiveAnswer, found: Sequence[str]) -> AnswerGiven:
        return AnswerGiven(answer=on_one_line(found[0]))

    def headline(self, reply: AnswerGiven) -> str:
        return reply.answer


def _seen(text: str, setting: str) -> str:
    """What is seen, unless it stands above as the setting."""
    return "What is shown at the top." if text and text == setting else text.strip() or SILENCE


def _gone(before: str, after: str) -> str:
    """What was seen before an action, with the number of the lines that are seen after it, too, in their place."""
    lines = [line for line in before.splitlines() if line.strip()]
    still = set(after.splitlines())
    gone = [line for line in lines if line not in still]
    if len(gone) == len(lines):
        return before
    kept = len(lines) - len(gone)
    return "\n".join((*gone, f"({kept} line{'s' * (kept > 1)} as after it)"))


class JudgeAttemptQuestion(RequestQuestion[JudgeAttempt, bool, AttemptJudged]):
    """Whether an attempt at a task succeeded, by its opening and its turns. Nothing is said of rewards.

    Source: as of `JudgeAttempt`.
    """

    asks = JudgeAttempt
    shape = YesOrNo(
        name="success",
        about="Whether an attempt succeeded, after the reason.",
        reader=read_verdict,
        key="succeeded",
        values={"reason": "why, in short (then whether it succeeded)", "succeeded": False},
    )

    def says(self, about: JudgeAttempt) -> Iterator[str]:
        yield about.experience.opening or SILENCE
        yield "What was done:"
        yield from turns_as_texts(about.experience.turns)
        yield "Did it succeed?"

    def reply(self, request: JudgeAttempt, found: Sequence[bool]) -> AttemptJudged:
        return AttemptJudged(succeeded=found[0])

    def headline(self, reply: AttemptJudged) -> str:
        return "succeeded" if reply.succeeded else "failed"


class GradeQuestion(RequestQuestion[Grade, bool, Graded]):
    """Whether an answer that a world was given is correct. The judge's only question.

    Source: AutoPlan's released code, which has a model compare an answer on HotpotQA with the correct one; WebArena's,
    which compares answers and reasons. Differs: the prompts are ours, and say that the answer is only a text; the
    reasons come before the verdict; there is no partly correct.
    """

    asks = Grade
    prompts = (request_name(Grade), f"{request_name(Grade)}.reason")
    shape = YesOrNo(
        name="grade",
        kind=None,
        about="Whether an answer is correct, after the reason.",
        reader=read_grade,
        key="correct",
        template="{why}\nCorrect: {value}",
        why_described="how the two answers compare, in short",
        why_says="a short text that compares the two answers",
        values={"correct": False},
    )

    def instructions(self, about: Grade) -> str:
        return self.prompts[about.criterion == "reason"]

    def says(self, about: Grade) -> Iterator[str]:
        of_reason = about.criterion == "reason"
        lines = {
            "Task" if of_reason else "Question": about.question,
            "Why it cannot be done" if of_reason else "Correct answer": about.target,
            "Given answer": about.answer,
        }
        # On one line each, so that no answer can bring a label of its own.
        yield "\n".join(f"{label}: {on_one_line(text) or SILENCE}" for label, text in lines.items())
        yield (
            "Does the given answer say that it cannot be done, for this reason?"
            if of_reason
            else "Is the given answer correct?"
        )

    def reply(self, request: Grade, found: Sequence[bool]) -> Graded:
        return Graded(correct=found[0])

    def headline(self, reply: Graded) -> str:
        return "correct" if reply.correct else "not correct"

    def failure(self, reply: Unanswered) -> str:
        return f"no verdict: {reply.reason}"


JUDGING = (ValueQuestion(), ChooseQuestion(), AlignQuestion(), _JUDGE, GiveAnswerQuestion(), JudgeAttemptQuestion())
"""The reflector's."""
GRADING = (GradeQuestion(),)
"""The judge's."""
