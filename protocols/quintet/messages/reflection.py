"""Messages of the reflector role: look back on a job, mark a state, choose between attempts, compare two."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from quintet.messages.execution import Turn
from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride

Depth: TypeAlias = Literal["full", "summary"]
"""`full`: summary, flaws and revision. `summary`: the summary alone."""

Samples: TypeAlias = Annotated[int, Meta(ge=1)]
"""Completions drawn at once for one answer; above 1 they only differ at a temperature above 0."""


class Reflected(Message, frozen=True, kw_only=True, tag="reflected"):
    """The reflection on a job."""

    summary: str
    """Never empty."""
    flaws: str = ""
    """What was wrong with plan and actions; empty if it was not asked for."""
    revision: str = ""
    """What to do instead; empty if it was not asked for."""


class Reflect(Request[Reflected | Unanswered], frozen=True, kw_only=True, tag="reflect"):
    """Ask for a reflection on one job: summary, flaw identification, plan revision (SIR).

    Source: AutoPlan, section 3.2.2, equations 6 to 8.
    """

    journaled: ClassVar[bool] = True

    experience: Experience
    plan: str
    """The plan that the job followed; may be empty."""
    succeeded: bool
    depth: Depth = "full"
    one_conversation: bool = False
    """True: one conversation asks for the parts in turn, and for no revision while there is no plan, as in the paper's
    code. False: separate prompts, as in the equations."""
    sampling: SamplingOverride | None = None
    """Sampling of the completions; None: the role's."""

    def subject(self) -> str:
        return self.experience.task


class AttemptJudged(Message, frozen=True, kw_only=True, tag="attempt_judged"):
    """Whether an attempt at a task succeeded, as the model sees it."""

    succeeded: bool


class JudgeAttempt(Request[AttemptJudged | Unanswered], frozen=True, kw_only=True, tag="judge_attempt"):
    """Ask whether an attempt reached its goal. Nothing is said of rewards.

    Source: ReasoningBank (Ouyang et al., 2025), whose judge says success or failure.
    """

    journaled: ClassVar[bool] = True

    experience: Experience
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "verdicts"

    def subject(self) -> str:
        return self.experience.task


class Compared(Message, frozen=True, kw_only=True, tag="compared"):
    """Where two processes part."""

    step: Annotated[int, Meta(ge=1)]
    """The first step of the better one that differs, from 1."""


class Compare(Request[Compared | Unanswered], frozen=True, kw_only=True, tag="compare"):
    """Ask for the first step in which two processes differ, told that the first is the better one.

    Source: LDM2, section 3.3, equation 10, and table 4.
    """

    journaled: ClassVar[bool] = True

    goal: str
    better: tuple[Turn, ...]
    worse: tuple[Turn, ...]
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "comparisons"


class LookedBack(Message, frozen=True, kw_only=True, tag="looked_back"):
    """A reflection on a failed trial."""

    reflection: str
    """What to do differently next time; never empty."""


class LookBack(Request[LookedBack | Unanswered], frozen=True, kw_only=True, tag="look_back"):
    """Ask what to do differently next time, after a trial that failed.

    Source: Reflexion (Shinn et al., 2023), section 3; LATS (Zhou et al., 2024), section 4.1, reflection.
    """

    journaled: ClassVar[bool] = True

    setting: str
    goal: str
    turns: tuple[Turn, ...]
    """The whole trial, in order."""
    reason: str = ""
    """Why it failed, as in `Unsolved.reason`; empty: unknown."""
    earlier: tuple[str, ...] = ()
    """Reflections on earlier trials of the same task, oldest first."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "reflections"


class Valued(Message, frozen=True, kw_only=True, tag="valued"):
    """How promising a state is, as the model sees it."""

    value: float
    """In [0, 1]: the mean of the readable marks, each scaled from 1..10 by (mark - 1) / 9."""


class Value(Request[Valued | Unanswered], frozen=True, kw_only=True, tag="value"):
    """Ask for a mark from 1 to 10 of the state that some turns led to. Its calls are journaled, itself it is not.

    Source: LATS (Zhou et al., 2024), section 4.1, evaluation; Tree of Thoughts (Yao et al., 2023), section 3.
    """

    setting: str
    goal: str
    turns: tuple[Turn, ...]
    """From the task's start to the state; empty: the state at the start."""
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as `Reflections`."""
    samples: Samples = 1
    sampling: SamplingOverride | None = None
    """Sampling of the completions; None: the role's."""
    phase: str = "values"


class Chosen(Message, frozen=True, kw_only=True, tag="chosen"):
    """The model's choice."""

    number: int
    """The option with the most votes, from 1; of several, the first."""
    votes: tuple[int, ...]
    """By option, how many of the readable samples chose it."""


class Choose(Request[Chosen | Unanswered], frozen=True, kw_only=True, tag="choose"):
    """Ask which of several attempts at a task is best. No reward is shown. Its calls are journaled, itself it is not.

    Source: Tree of Thoughts (Yao et al., 2023), section 3 (vote); LDM2, section 3.2, equation 5. Differs: the last
    observation of an attempt that has ended is left out, since a world may state there what the attempt earned.
    """

    setting: str
    goal: str
    options: Annotated[tuple[tuple[Turn, ...], ...], Meta(min_length=1)]
    """Each from the task's start."""
    ended: tuple[int, ...] = ()
    """Numbers, from 1, of the options whose last observation is left out: those whose world is done, or all, so that
    nothing shows which are done."""
    samples: Samples = 1
    sampling: SamplingOverride | None = None
    """Sampling of the completions; None: the role's."""
    phase: str = "values"


class Aligned(Message, frozen=True, kw_only=True, tag="aligned"):
    """What an action did, and whether it serves the step of the plan."""

    description: str
    """One sentence; never empty."""
    aligned: bool


class Align(Request[Aligned | Unanswered], frozen=True, kw_only=True, tag="align"):
    """Ask, in one prompt, what an action did and whether it serves the step of the plan that is pursued.

    Source: Devil's Advocate, equations 5 and 9. Its calls are journaled, itself it is not.
    """

    setting: str
    goal: str
    """The task's."""
    steps: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The plan."""
    current: Annotated[int, Meta(ge=1)]
    """The number of the step that is pursued, from 1."""
    action: str
    before: str
    """What was seen before the action."""
    after: str
    """What was seen after it."""
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as the inventory with which a subtask begins."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "alignment"

    def subject(self) -> str:
        return self.action


class Judged(Message, frozen=True, kw_only=True, tag="judged"):
    """Whether a task, or a step of its plan, is completed."""

    completed: bool


class Judge(Request[Judged | Unanswered], frozen=True, kw_only=True, tag="judge"):
    """Ask whether the task, or a step of its plan, is completed. No reward is shown.

    Source: Devil's Advocate, equations 6 and 7. Its calls are journaled, itself it is not.
    """

    setting: str
    goal: str
    """The task's."""
    steps: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The plan."""
    current: Annotated[int, Meta(ge=1)] | None = None
    """The number of the step that is judged, from 1; None: the task is."""
    history: tuple[str, ...] = ()
    """What was done so far, one sentence an action, oldest first."""
    notes: tuple[str, ...] = ()
    observation: str
    """What is seen now."""
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as the last action before a subtask."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "judgements"

    def subject(self) -> str:
        return self.goal if self.current is None else self.steps[self.current - 1]


class AnswerGiven(Message, frozen=True, kw_only=True, tag="answer_given"):
    """The answer to a task."""

    answer: str
    """One line, never empty."""


class GiveAnswer(Request[AnswerGiven | Unanswered], frozen=True, kw_only=True, tag="give_answer"):
    """Ask for the answer to a task that was judged to be completed.

    Source: Devil's Advocate, appendix (answer delivery). Its calls are journaled, itself it is not.
    """

    judged: Judge
    """The question that was answered by yes. The answer is asked for after it, in the same conversation."""
    observation: str
    """What is seen now; there it may be a summary."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "answers"


class Condensed(Message, frozen=True, kw_only=True, tag="condensed"):
    """A long observation in short."""

    text: str
    """Never empty."""


class Condense(Request[Condensed | Unanswered], frozen=True, kw_only=True, tag="condense"):
    """Ask for a summary of a long observation that keeps what matters to the task.

    Source: Devil's Advocate, section 3.2. Its calls are journaled, itself it is not.
    """

    goal: str
    observation: str
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "condensation"
