"""Messages of the executor role: decide once, or act until the task is done, failed or out of budget."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.environment import Session
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.parts import PromptPart
from quintet.ports.model import Finish, SamplingOverride


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One completion of the executor and what the world answered."""

    completion: str
    observation: str


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="act"):
    """An action for the world."""

    thought: str
    action: str


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="claim"):
    """The model says that its task is completed, or that it cannot be."""

    thought: str
    completed: bool


class Unreadable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="unreadable"):
    """A completion in which no action and no claim was found."""

    expected: str
    """The form of an answer."""
    finish: Finish = "stop"
    """How the completion ended, which may explain it: cut off, refused, empty."""


Decision: TypeAlias = Act | Claim | Unreadable


class Candidate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer of the model to "what next?"."""

    completion: str
    decision: Decision
    confidence: float | None = None
    """The model's own confidence, in [0, 1], if it was asked for; those of one reply sum to one."""


class Candidates(Message, frozen=True, kw_only=True, tag="candidates"):
    """Answers in the order in which they were sampled; equal ones are kept.

    With confidences there are at most `n`, the most confident first, and no two are equal.
    """

    candidates: tuple[Candidate, ...]
    adjusted: bool = False
    """The model's confidences were changed: some were missing or no numbers, or they did not sum to one."""


class Decide(Request[Candidates], frozen=True, kw_only=True, tag="decide"):
    """Ask for the next action, for callers that search. `Execute` is the loop over this.

    If thought and action are separate completions, every action is rewritten: no world is asked which ones it accepts.
    The reply is not journaled, since it follows from the completions, which are.
    """

    setting: str
    goal: str
    parts: tuple[PromptPart, ...] = ()
    history: tuple[Turn, ...] = ()
    sampling: SamplingOverride | None = None
    """How far completions vary; None: as the role is configured."""
    n: Annotated[int, Meta(ge=1)] = 1
    """Answers wanted, a completion each. Above 1 they only differ at a temperature above 0."""
    instead_of: tuple[str, ...] = ()
    """Actions that are not wanted; the model is asked for another one."""
    tried: bool = True
    """Whether these were tried at this point already. If not, the model is to suppose that they are wrong."""
    with_confidence: bool = False
    """Whether one completion names `n` different actions, each with the model's confidence in it."""
    thoughts: bool = True
    """Whether an answer is a thought with its action; see `Execute`."""
    phase: str = "candidates"
    tools_of: Session | None = None
    """Where the action is to be taken: a model that calls tools is offered those of this session then. None: it is
    offered none, and an action is any text."""


class Retargeted(Message, frozen=True, kw_only=True, tag="retargeted"):
    """The same move, in the words of what is seen now."""

    action: str
    """Never empty."""


class Retarget(Request[Retargeted | Unanswered], frozen=True, kw_only=True, tag="retarget"):
    """Ask for the action that does now what another would have done, after going back to a state that looks different.

    Source: Devil's Advocate, section 3.3.2 and appendix (element mapping). Its calls are journaled, itself it is not.
    """

    action: str
    """Chosen when `seen` was seen."""
    seen: str
    now: str
    """What is seen after going back."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "retargets"

    def subject(self) -> str:
        return self.action


Stop: TypeAlias = Literal["claimed", "done", "budget", "patience", "repeats", "context"]


class Executed(Message, frozen=True, kw_only=True, tag="executed"):
    """The executor stopped."""

    completed: bool
    """The executor's verdict: its claim, or else whether the world was done with the full reward."""
    claimed: bool | None
    """The model's own claim: completed, also by a final answer; failed; or None if it made none."""
    stop: Stop
    """`claimed`; `done`: the world accepts no further action; `budget`: out of model calls; `patience`: too many
    rejected actions in a row; `repeats`: the same action with the same answer too often in a row; `context`: the
    conversation no longer fits the model."""
    reward: float
    """Earned by the steps of this run of the executor, in [0, 1]; 0 if it took none."""
    done: bool
    """The world accepts no further action."""
    calls: int
    """Turns taken, at most the budget."""
    last_action: str = ""
    """The last action that the world carried out; empty if it carried out none."""
    last_observation: str = ""
    """The world's answer to `last_action`."""
    turns: tuple[Turn, ...] = ()
    """The turns of this run, in order. Turns without an action, such as a claim, are left out."""


class Execute(Request[Executed], frozen=True, kw_only=True, tag="execute"):
    """Pursue `goal` in a session, one thought and action per model call.

    Source: ADaPT, section 3.1 (self-reported success); patience from its released code.
    """

    journaled: ClassVar[bool] = True

    session: Session
    setting: str
    goal: str
    parts: tuple[PromptPart, ...] = ()
    max_calls: Annotated[int, Meta(ge=1)]
    """Budget of turns: a turn is one model call, or up to three if thought and action are separate completions."""
    patience: Annotated[int, Meta(ge=1)]
    """Consecutive rejected or unreadable actions after which the executor gives up."""
    max_repeats: Annotated[int, Meta(ge=2)] | None = None
    """How often in a row the same action may get the same answer before the executor gives up; None: as often as it
    likes. Source: Reflexion's released code, with 3."""
    thoughts: bool = True
    """Whether an answer is a thought with its action, as the instructions must say too. False: an action alone, in one
    completion; if the model writes a thought all the same, the conversation does not keep it."""
    claims: bool = True
    """Whether the model is to claim: once the world is done without a final answer, it is asked once more."""
    formalized: Literal["always", "illegal"] = "always"
    """Which actions the formalizer rewrites, if thought and action are separate completions: all, or those that the
    world would reject (all, if it cannot list its actions)."""
    sampling: SamplingOverride | None = None
    """How far completions vary; None: as the role is configured."""


ExecutorRequest: TypeAlias = Decide | Execute | Retarget
