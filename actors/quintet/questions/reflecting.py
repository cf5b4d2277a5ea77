"""The reflector's questions, and the judge's: look back on jobs and trials, mark, choose, compare, align, condense."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.grading import Grade, Graded
from quintet.messages.message import Unanswered, request_name
from quintet.messages.parts import History, Notes, PromptPart, Reflections, TaskSteps
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import (
    Align,
    Aligned,
    Choose,
    Chosen,
    Compare,
    Compared,
    Condense,
    Condensed,
    Judge,
    Judged,
    LookBack,
    LookedBack,
    Reflect,
    Value,
    Valued,
)
from quintet.parsing.answers import on_one_line, reason
from quintet.parsing.descriptions import Alignment, read_alignment, read_condensed
from quintet.parsing.indices import read_comparison
from quintet.parsing.judgements import read_grade, read_verdict
from quintet.parsing.look_backs import read_look_back
from quintet.parsing.reflections import Part, read_part, read_parts
from quintet.parsing.verdicts import HIGHEST_MARK, LOWEST_MARK, read_choice, read_mark
from quintet.ports.model import Completion, Finish, SamplingOverride
from quintet.questions.question import Question, RequestQuestion, TaskQuestion
from quintet.questions.shapes import Number, Reading, Text, YesOrNo
from quintet.roles.conversations import Conversations
from quintet.roles.turn_text import SILENCE, as_messages

_MOST = 9_999
"""A completion alone does not say how many options or steps there were."""


class ReflectOn(Struct, frozen=True, kw_only=True):
    """One part of a reflection."""

    part: Part
    job: Reflect


class _ReflectionShape(Text[str]):
    def reading(self, text: str, finish: Finish) -> Reading:
        if finish != "stop":
            return self.as_reading("reflection", None, finish)
        first, *others = read_parts(text).items() or [("", self.read(text) or "")]
        notes = [f"also has the {part}: {said}" for part, said in others]
        return {"reflection": first[1] or None, "notes": notes if first[1] else ["nothing is left", *notes]}


class ReflectQuestion(Question[ReflectOn, str]):
    """A part of a reflection: summary, flaw identification, plan revision (SIR).

    `reflect` says what the job was like, and every prompt begins with it. `reflect.summary` asks for the summary,
    `reflect.flaw` for flaws of plan and actions, and `reflect.revision`, below `reflect.flaw` unless that was asked
    before, for what to do instead.

    Source: AutoPlan, section 3.2.2, equations 6 to 8.
    """

    asks = ReflectOn
    shape = _ReflectionShape(
        name="reflection",
        about="A part of a reflection.",
        read=lambda text: read_part(text, "summary") or None,
        wanted="reflection",
        kind="reflection",
        key="text",
        keeps_lines=True,
        values={"text": "what was asked for, in short"},
    )
    prompts = ("reflect", "reflect.summary", "reflect.flaw", "reflect.revision")

    def sampling(self, about: ReflectOn) -> SamplingOverride | None:
        return about.job.sampling

    def wants(self, about: ReflectOn) -> str:
        return about.part

    def show(self, about: ReflectOn, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        job = about.job
        followed = f"\n\nThe plan that was followed:\n\n{job.plan}" if job.plan else ""
        opening = user(job.experience.opening or SILENCE)
        *before, last = opening, *(message for turn in job.experience.turns for message in as_messages(turn))
        return Prompt(system(texts["reflect"] + followed), *before).extend(
            user(f"{last.content}\n\n{_result(job)}\n\n{self.asked(about, texts)}")
        )

    def asked(self, about: ReflectOn, texts: Mapping[str, str]) -> str:
        """What asks for the part."""
        match about.part:
            case "summary":
                return texts["reflect.summary"]
            case "flaws":
                return texts["reflect.flaw"]
            case "revision" if about.job.one_conversation:
                return texts["reflect.revision"]
            case "revision":
                return f"{texts['reflect.flaw']}\n\n{texts['reflect.revision']}"

    def find(self, about: ReflectOn, text: str) -> str | None:
        return read_part(text, about.part) or None

    def reminder(self, about: ReflectOn, *, structured: bool) -> str:
        form = f"\n\n{self.shape.example(structured=True)}" if structured else ""
        return f"Write the {about.part} now, in short, and nothing else.{form}"


def _result(job: Reflect) -> str:
    if job.succeeded:
        return "The job succeeded."
    return f"The job failed: {job.experience.reason}." if job.experience.reason else "The job failed."


class LookBackQuestion(TaskQuestion[LookBack, str, LookedBack]):
    """What to do differently next time, after a trial that failed.

    Source: Reflexion (Shinn et al., 2023), section 3. Differs: all earlier reflections that the request has are shown.
    """

    asks = LookBack
    shape = Text(
        name="look_back",
        about="What to do differently next time.",
        read=read_look_back,
        wanted="reflection",
        kind="look_back",
        key="reflection",
        label="Reflection: ",
        described="what you will do differently next time",
        says="what you will do differently next time",
        keeps_lines=True,
    )

    def parts(self, request: LookBack) -> tuple[PromptPart, ...]:
        return (Reflections(texts=request.earlier),)

    def says(self, about: LookBack) -> Iterator[str]:
        yield f"The attempt failed: {about.reason}." if about.reason else "The attempt failed."
        yield "Write your reflection now: what will you do differently next time?"

    def reply(self, request: LookBack, found: Sequence[str]) -> LookedBack:
        return LookedBack(reflection=found[0])

    def headline(self, reply: LookedBack) -> str:
        return "reflection"


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
        read=read_mark,
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
        read=lambda text: read_choice(text, _MOST),
        wanted="choice",
        kind="choice",
        key="choice",
        described="the number of the best option",
        says="the number of the best option",
        template="{why}\nChoice: {value}",
        values={"choice": 1},
    )

    def wants(self, about: Choose) -> str:
        return f"choice from 1 to {len(about.options)}"

    def says(self, about: Choose) -> Iterator[str]:
        for number, turns in enumerate(about.options, 1):
            yield f"Option {number}:"
            last = len(turns) - 1 if number in about.ended else None
            yield from (_shown(turn, seen=at != last) for at, turn in enumerate(turns))
            if not turns:
                yield SILENCE
        yield f"Which option is best? Give your {self.wants(about)}."

    def find(self, about: Choose, text: str) -> int | None:
        return read_choice(text, len(about.options))

    def reply(self, request: Choose, found: Sequence[int]) -> Chosen:
        counts = Counter(found)
        votes = tuple(counts[each] for each in range(1, len(request.options) + 1))
        return Chosen(number=votes.index(max(votes)) + 1, votes=votes)


def _shown(turn: Turn, *, seen: bool = True) -> str:
    observation = f"\nObservation: {turn.observation.strip() or SILENCE}" if seen else ""
    return f"{turn.completion.strip() or SILENCE}{observation}"


class CompareQuestion(RequestQuestion[Compare, int, Compared]):
    """The first step in which two processes differ, told that the first is the better one, and no more of rewards.

    Source: LDM2, section 3.3, equation 10, and table 4.
    """

    asks = Compare
    wanted = "step"
    shape = Number(
        name="comparison",
        about="The step in which two processes part, after its reason.",
        read=lambda text: read_comparison(text, _MOST),
        wanted="number of the step",
        kind="comparison",
        key="step",
        described="the number of the step",
        says="the number of the step",
        template="{value}: {why}",
        values={"step": 3},
    )

    def says(self, about: Compare) -> Iterator[str]:
        yield f"Goal: {about.goal}."
        yield from _process("Process 1 (the better one):", about.better)
        yield from _process("Process 2:", about.worse)
        yield "In which step of process 1 do the two first differ?"

    def find(self, about: Compare, text: str) -> int | None:
        return read_comparison(text, len(about.better))

    def read(self, about: Compare, completion: Completion) -> int | Unanswered:
        found = super().read(about, completion)
        why = f"the model {reason(completion.finish, 'step of process 1')}"
        return Unanswered(reason=why) if isinstance(found, Unanswered) else found

    def reply(self, request: Compare, found: Sequence[int]) -> Compared:
        return Compared(step=found[0])

    def headline(self, reply: Compared) -> str:
        return f"step {reply.step}"

    def failure(self, reply: Unanswered) -> str:
        return f"no step: {reply.reason}"


def _process(heading: str, turns: Sequence[Turn]) -> Iterator[str]:
    """A heading, and the turns as numbered steps."""
    yield heading
    yield from (f"{number}. {_shown(turn)}" for number, turn in enumerate(turns, 1))
    if not turns:
        yield SILENCE


class _AlignmentShape(YesOrNo[Alignment]):
    def reading(self, text: str, finish: Finish) -> Reading:
        alignment = read_alignment(text if finish == "stop" else "")
        return {
            "description": alignment.description or None,
            **self.as_reading(self.key, alignment.aligned, finish),
        }


class AlignQuestion(TaskQuestion[Align, Alignment, Aligned]):
    """What an action did, and whether it serves the step of the plan that is pursued, in one prompt.

    Without a description, which is rare, the action itself describes it.

    Source: Devil's Advocate, equations 5 and 9, and appendix. Differs: the setting and the goal are shown too.
    """

    asks = Align
    shape = _AlignmentShape(
        name="alignment",
        about="What an action did, and whether it serves its step.",
        read=read_alignment,
        kind="alignment",
        key="aligned",
        described="whether the action serves the step",
        why="description",
        why_described="one sentence that begins with: The action is to",
        why_says='one sentence that begins with "The action is to" and says what the action did',
        values={"description": "The action is to ... (then whether it serves the step)", "aligned": True},
    )

    def parts(self, request: Align) -> tuple[PromptPart, ...]:
        return (*request.parts, TaskSteps(steps=request.steps, current=request.current))

    def says(self, about: Align) -> Iterator[str]:
        yield f"Before the action:\n{about.before.strip() or SILENCE}"
        yield f"The action: {about.action}"
        yield f"After the action:\n{about.after.strip() or SILENCE}"
        yield (
            "What is the action about, and does it serve the step to do now? "
            'Begin with "The action is to", and end with YES or NO.'
        )

    def read(self, about: Align, completion: Completion) -> Alignment | Unanswered:
        found = super().read(about, completion)
        if isinstance(found, Alignment) and found.aligned is None:
            return Unanswered(reason=f"the model {reason('stop', self.shape.wanted)}", said=found.description)
        return found

    def reminder(self, about: Align, *, structured: bool) -> str:
        return f"Does the action serve the step? {super().reminder(about, structured=structured)}"

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

    Source: Devil's Advocate, equations 6 and 7, and appendix. Differs: the prompt for a step is ours, since only the
    task's is printed; the setting is shown too.
    """

    asks = Judge
    prompts = (request_name(Judge), f"{request_name(Judge)}.step")
    shape = YesOrNo(
        name="verdict",
        about="Whether something is completed, after the reason.",
        read=read_verdict,
        kind="verdict",
        key="completed",
        values={"reason": "why, in short (then whether it is completed)", "completed": False},
    )

    def instructions(self, about: Judge) -> str:
        return self.prompts[about.current is not None]

    def parts(self, request: Judge) -> tuple[PromptPart, ...]:
        plan = TaskSteps(steps=request.steps, current=request.current)
        return (*request.parts, plan, History(texts=request.history), Notes(texts=request.notes))

    def says(self, about: Judge) -> Iterator[str]:
        judged = "the goal reached" if about.current is None else "the step to do now completed"
        yield f"What is seen now:\n{about.observation.strip() or SILENCE}"
        yield f"Is {judged}? End with YES or NO."

    def reply(self, request: Judge, found: Sequence[bool]) -> Judged:
        return Judged(completed=found[0])


class CondenseQuestion(RequestQuestion[Condense, str, Condensed]):
    """A long observation in short, with what matters to the task.

    Source: Devil's Advocate, section 3.2, which prints no prompt for it.
    """

    asks = Condense
    shape = Text(
        name="condensed",
        about="A long observation in short.",
        read=read_condensed,
        wanted="short description",
        kind="condensed",
        key="short_description",
        label="Short description: ",
        described="what is seen, in short",
        says="what is seen in short",
        keeps_lines=True,
    )

    def says(self, about: Condense) -> Iterator[str]:
        yield f"Goal: {about.goal}."
        yield f"What is seen:\n{about.observation.strip()}"
        yield "Describe this in short."

    def reply(self, request: Condense, found: Sequence[str]) -> Condensed:
        return Condensed(text=found[0])


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
        about="Whether an answer is correct, after the reason.",
        read=read_grade,
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


REFLECT = ReflectQuestion()
REFLECTING = (
    LookBackQuestion(),
    ValueQuestion(),
    ChooseQuestion(),
    CompareQuestion(),
    AlignQuestion(),
    JudgeQuestion(),
    CondenseQuestion(),
)
JUDGING = (GradeQuestion(),)
