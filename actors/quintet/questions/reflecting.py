"""The reflector's questions about what was done: look back on jobs and trials, compare two processes, condense."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from quintet.messages.execution import Turn
from quintet.messages.message import Unanswered
from quintet.messages.parts import PromptPart, Reflections
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import Compare, Compared, Condense, Condensed, LookBack, LookedBack, Reflect
from quintet.parsing.answers import reason
from quintet.parsing.descriptions import read_condensed
from quintet.parsing.indices import read_comparison
from quintet.parsing.labelled import read_look_back
from quintet.parsing.reflections import Part, read_part, read_parts
from quintet.ports.model import Completion, Finish, SamplingOverride
from quintet.questions.question import Question, RequestQuestion, TaskQuestion
from quintet.questions.shape import Reading
from quintet.questions.shapes import MOST, Number, Text
from quintet.roles.conversations import Conversations
from quintet.roles.turn_text import SILENCE, as_messages, turn_as_text


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
        reader=lambda text: read_part(text, "summary") or None,
        wanted="reflection",
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
        reader=read_look_back,
        wanted="reflection",
        key="reflection",
        label="Reflection: ",
        described="what you will do differently next time",
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


class CompareQuestion(RequestQuestion[Compare, int, Compared]):
    """The first step in which two processes differ, told that the first is the better one, and no more of rewards.

    Source: LDM2, section 3.3, equation 10, and table 4.
    """

    asks = Compare
    wanted = "step"
    shape = Number(
        name="comparison",
        about="The step in which two processes part, after its reason.",
        reader=partial(read_comparison, steps=MOST),
        wanted="number of the step",
        key="step",
        described="the number of the step",
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
    yield from (f"{number}. {turn_as_text(turn)}" for number, turn in enumerate(turns, 1))
    if not turns:
        yield SILENCE


class CondenseQuestion(RequestQuestion[Condense, str, Condensed]):
    """A long observation in short, with what matters to the task.

    Source: Devil's Advocate, section 3.2, which prints no prompt for it.
    """

    asks = Condense
    shape = Text(
        name="condensed",
        about="A long observation in short.",
        reader=read_condensed,
        wanted="short description",
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


REFLECT = ReflectQuestion()
REFLECTING = (LookBackQuestion(), CompareQuestion(), CondenseQuestion())
