"""A process: one action after the other, each from a prompt of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from quintet.messages.environment import Step, Stepped
from quintet.messages.execution import Act, Candidate, Claim, Decide, Turn, Unreadable
from quintet.messages.parts import PromptPart, Situation
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.ldm2.config import Ldm2Config
from quintet.methods.ldm2.states import describe_state, with_agreement
from quintet.roles.turn_text import reminder, seen_after, turn_of


@dataclass
class Process:
    """A decision process in the episode's session, from the start of the task.

    It ends when the world is done, its steps are used up, an action got the same answer too often in a row, or a model
    refuses for good. No prompt asks for a claim; one that is made all the same ends the process, and counts for
    nothing.

    Args:
        episode: of the session to act in; every prompt shows its parts.

    Source: LDM2, section 3.1, equations 2 to 4. Differs: a rejected action is no turn of the process; the model is
    asked for another one instead, in the same state, and it costs a step.
    """

    episode: Episode
    config: Ldm2Config
    _turns: list[Turn] = field(default_factory=list[Turn])
    _situation: Situation | None = None
    """Of the present state; None: nobody was asked yet."""
    _rejected: tuple[str, ...] = ()
    """Actions that the world rejected in this state."""
    _unread: tuple[Turn, ...] = ()
    """The last answer with a reminder of the form, if no action was found in it."""
    _last: Stepped | None = None
    _exchange: tuple[str, str] = ("", "")
    _repeats: int = 0

    async def run(self) -> Solved | Unsolved:
        """Act until it ends. The answer has the turns that the world carried out."""
        for _ in range(self.config.max_steps):
            candidate = await self.episode.unless_refused(self._decide)
            reason = "a model refuses" if candidate is None else await self._carry_out(candidate)
            if reason:
                return self._conclude(reason)
        return self._conclude("out of steps")

    async def _decide(self) -> Candidate:
        if self._situation is None:
            self._situation = await describe_state(self.episode, self._turns)
        decided = await self.episode.ask(
            Decide(
                setting=self.episode.lasting_setting,
                goal=self.episode.goal,
                parts=(*self.episode.parts, self._situation),
                history=self._unread,
                instead_of=self._rejected,
                sampling=self.episode.sampling,
                thoughts=False,
                phase="actions",
                tools_of=self.episode.session,
            )
        )
        return decided.candidates[0]

    async def _carry_out(self, candidate: Candidate) -> str:
        """Do what was decided; why the process ends, empty if it goes on."""
        match candidate.decision:
            case Act(action=action):
                return await self._step(action)
            case Claim(completed=completed):
                return f"the model claims {'success' if completed else 'failure'}"
            case Unreadable(finish="context_full"):
                return "context full"
            case Unreadable() as unreadable:
                self._unread = (Turn(completion=candidate.completion, observation=reminder(unreadable)),)
                return ""

    async def _step(self, action: str) -> str:
        stepped = await self.episode.ask(Step(session=self.episode.session, action=action))
        self._last, self._unread = stepped, ()
        if stepped.rejected:
            self._rejected += (action,)
        else:
            self._turns.append(turn_of(action, seen_after(stepped)))
            self._situation, self._rejected = None, ()
        exchange = action, stepped.observation
        self._repeats = self._repeats + 1 if exchange == self._exchange else 1
        self._exchange = exchange
        if stepped.done:
            return "done"
        stuck = self.config.max_repeats is not None and self._repeats >= self.config.max_repeats
        return "the same action with the same answer too often in a row" if stuck else ""

    def _conclude(self, reason: str) -> Solved | Unsolved:
        return self.episode.conclude(self._last, self._turns, reason=reason)


async def act_in_copy(episode: Episode, config: Ldm2Config, parts: tuple[PromptPart, ...]) -> Solved | Unsolved:
    """A process in a copy of the episode's session, which stays open."""
    async with episode.forked(episode.session) as copy:
        answer = await Process(episode.within(copy.session, with_agreement(parts, config.direct)), config).run()
        copy.keep()
    return answer


def final_reward(answer: Solved | Unsolved) -> float:
    """The reward of an ended process; 0 if its world is not done. Only what is done to learn may read it."""
    return answer.reward if answer.done else 0.0


def find_difference(better: Sequence[Turn], worse: Sequence[Turn]) -> int:
    """The number of the first turn of the better process, from 1, with another action or another answer.

    Args:
        better: not empty.
    """
    for number, turn in enumerate(better[: len(worse)], 1):
        if turn != worse[number - 1]:
            return number
    return min(len(worse) + 1, len(better))
