"""A trial of a plan: the stack of actions and remedies, going back, alignment and completion.

Source: Devil's Advocate, algorithm 1, lines 3 to 18.
"""

from contextlib import AsyncExitStack

from quintet.messages.environment import Close, Fork, Open, Session, Snapshot, Step, Stepped
from quintet.messages.execution import Act, Candidate, Claim, Turn, Unreadable
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.history import TaskHistory
from quintet.methods.devils_advocate.questions import Questions
from quintet.methods.devils_advocate.stack import Checkpoint, CurrentStep, Entry, Observation, Speculation, TrialStep
from quintet.parsing.notes import read_note
from quintet.roles.turn_text import history_sentence, reminder, seen_after, turn_of
from quintet.search.proposals import merge

_MOST_ANSWERS = 4
"""Answers of the executor in one state, of which the last must be an action for the world. The others are notes, or
have no action. Without an action nothing is pushed."""

_NO_NOTE = "There is nothing in the brackets. Please write what is to be noted there, or give the next action."
_NO_CLAIM = "Whether it is completed is judged from what is seen. Please give the next action."


class Trial:
    """Pursues a plan in a session of its own, until the model says that the task is completed or the stack is empty.

    Only one session is open at a time, unless remedies are tried ahead of need.

    Args:
        session: to begin in. The answer names the one to continue in.
        steps: of the plan, at least one.
        history: of the task, which the trial adds to.
        most: actions that it may carry out, at least 1.
        speculate: whether remedies are tried ahead of need.
    """

    def __init__(
        self,
        episode: Episode,
        session: Session,
        seen: Observation,
        steps: tuple[str, ...],
        questions: Questions,
        history: TaskHistory,
        *,
        most: int,
        speculate: bool,
    ) -> None:
        self._episode = episode
        self._session = session
        self._first = CurrentStep(steps, 1)
        self._ask = questions
        self._history = history
        self._most = most
        self._speculate = speculate
        self._groups = AsyncExitStack()
        self._stack: list[Entry] = []
        self._at = Checkpoint(seen=seen, actions=history.actions)
        self._seen = seen
        """What is seen now. After going back it may differ from what was seen in the state."""
        self.actions = 0
        """That were carried out."""

    async def run(self) -> Solved | Unsolved:
        """The answer, with the turns that were not gone back on. It decides nothing by rewards."""
        async with self._groups:
            reason = await self._pursue()
            await self._empty_stack()
        if reason is None:
            return Solved(
                session=self._session,
                reward=self._at.reward,
                done=self._at.done,
                claimed=True,
                depth=self._episode.depth,
                last_action=self._at.action,
                last_observation=self._at.turns[-1].observation if self._at.turns else "",
                turns=self._at.turns,
            )
        return Unsolved(
            session=self._session,
            reward=self._at.reward,
            done=self._at.done,
            reason=reason,
            depth=self._episode.depth,
            turns=self._at.turns,
        )

    async def _pursue(self) -> str | None:
        """Why the trial failed; None: the task is completed."""
        reason = await self._choose(self._first)
        while self._stack and not reason:
            if self.actions == self._most:
                return "out of actions"
            entry = self._stack.pop()
            result = await self._take(entry)
            self._arrive(entry, result)
            if result.stepped.lasting:
                await self._empty_stack()
            if (result.aligned or self._at.done) and await self._is_finished(entry.step):
                return None
            if result.aligned and not self._at.done:
                reason = await self._go_on(entry.step)
        return reason or "the plan failed, and no remedy is left"

    async def _is_finished(self, step: CurrentStep) -> bool:
        """Whether the task is completed. If so, its answer is given, where the world takes one."""
        if not self._at.done and self._ask.opening.ends_itself:
            return False
        if not await self._ask.is_completed(step, self._seen, task=True):
            return False
        if not self._at.done and self._ask.opening.takes_answer:
            action = await self._ask.answer(step, self._seen)
            stepped = await self._episode.ask(Step(session=self._session, action=action))
            if not stepped.rejected:
                self._stand(action, "", stepped, Observation(seen_after(stepped), seen_after(stepped)))
        return True

    async def _go_on(self, step: CurrentStep) -> str:
        """Choose the next action, for the first step that is not completed; why the trial ends, if it does."""
        following: CurrentStep | None = step
        while following is not None and await self._ask.is_completed(following, self._seen, task=False):
            following = following.next()
        return "" if following is None else await self._choose(following)

    async def _choose(self, step: CurrentStep) -> str:
        """Push the next action on its remedies; why the trial ends, if it does."""
        unread: tuple[Turn, ...] = ()
        for _ in range(_MOST_ANSWERS):
            candidate = await self._ask.action(self._session, step, self._seen, unread)
            if candidate is None:
                return "a model refuses"
            unread = ()
            match candidate.decision:
                case Act(action=action):
                    note = read_note(action)
                    if note is None:
                        await self._push(step, candidate)
                        return ""
                    if note:
                        self._history.note(note)
                    else:
                        unread = (Turn(completion=candidate.completion, observation=_NO_NOTE),)
                case Claim():
                    unread = (Turn(completion=candidate.completion, observation=_NO_CLAIM),)
                case Unreadable(finish="context_full"):
                    return "context full"
                case Unreadable() as unreadable:
                    unread = (Turn(completion=candidate.completion, observation=reminder(unreadable)),)
        return ""

    async def _push(self, step: CurrentStep, first: Candidate) -> None:
        remedies = await self._ask.remedies(self._session, step, self._seen, first)
        entries = [
            Entry(state=self._at, seen=self._seen, proposal=each, step=step) for each in (*remedies, *merge((first,)))
        ]
        self._stack += entries
        if self._speculate and remedies:
            await self._try_ahead(entries[:-1])

    async def _take(self, entry: Entry) -> TrialStep:
        """Go back to the state of an action if necessary, and carry it out; or take what was found ahead of need."""
        if entry.speculation is not None:
            result = await entry.speculation.result()
            await self._episode.ask(Close(session=self._session))
            self._return_to(entry.state, entry.speculation.session, entry.seen)
            return result
        if entry.state is not self._at:
            await self._go_back(entry.state)
        if any(below.state is self._at and below.speculation is None for below in self._stack[-1:]):
            await self._take_snapshot(self._at)
        action = entry.proposal.action
        if self._seen is not entry.seen:
            action = await self._ask.retarget(action, entry.seen.text, self._seen.text)
        return await self._try(entry, self._session, self._seen, action)

    async def _try(self, entry: Entry, session: Session, before: Observation, action: str) -> TrialStep:
        request = Step(session=session, action=action, thought=entry.proposal.thought)
        stepped = await self._episode.ask(request)
        seen = await self._ask.observe(seen_after(stepped))
        aligned, description = await self._ask.align(entry.step, action, before.short, seen.short)
        return TrialStep(action=action, stepped=stepped, seen=seen, aligned=aligned, description=description)

    def _arrive(self, entry: Entry, result: TrialStep) -> None:
        """Be in the state behind an action. A rejected one leaves the state and what is seen in it as they were."""
        self.actions += 1
        self._history.add(result.description or history_sentence(result.action, result.seen.short))
        if result.stepped.rejected:
            return
        self._stand(result.action, entry.proposal.thought, result.stepped, result.seen)

    def _stand(self, action: str, thought: str, stepped: Stepped, seen: Observation) -> None:
        """Be in the state that an action led to."""
        self._seen = seen
        self._at = Checkpoint(
            seen=seen,
            actions=self._history.actions,
            turns=(*self._at.turns, turn_of(action, seen_after(stepped), thought)),
            action=action,
            reward=stepped.reward,
            done=stepped.done,
        )

    async def _take_snapshot(self, state: Checkpoint) -> None:
        if state.snapshot is None:
            taken = await self._episode.ask(Snapshot(session=self._session))
            state.snapshot, state.origin = taken.snapshot, self._session.id

    async def _go_back(self, state: Checkpoint) -> None:
        await self._episode.ask(Close(session=self._session))
        request = Open(task=self._episode.task, snapshot=state.snapshot, origin=state.origin)
        opened = await self._episode.ask(request)
        seen = state.seen if opened.exact else await self._ask.observe(opened.observation)
        self._return_to(state, opened.session, seen)

    def _return_to(self, state: Checkpoint, session: Session, seen: Observation) -> None:
        if state is not self._at:
            self._history.undo(state.actions)
        self._at, self._session, self._seen = state, session, seen

    async def _try_ahead(self, remedies: list[Entry]) -> None:
        """Try each on a copy of the world, in a branch of its own."""
        group = await self._groups.enter_async_context(self._episode.branches())
        for entry in remedies:
            copy = await self._episode.ask(Fork(session=self._session))
            branch = group.start(self._try, entry, copy.session, self._seen, entry.proposal.action)
            entry.speculation = Speculation(group=group, branch=branch, session=copy.session)

    async def _empty_stack(self) -> None:
        """Drop all entries. Those that are tried ahead of need are stopped, and their sessions closed."""
        unused = [entry.speculation for entry in self._stack if entry.speculation is not None]
        self._stack.clear()
        for group in dict.fromkeys(each.group for each in unused):
            await group.stop()
        for each in unused:
            await self._episode.ask(Close(session=each.session))
