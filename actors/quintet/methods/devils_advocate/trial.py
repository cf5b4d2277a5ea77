"""A trial of a plan: the stack of actions and remedies, going back, alignment and completion.

Source: Devil's Advocate, algorithm 1, lines 3 to 18.
"""

from contextlib import AsyncExitStack

from quintet.messages.environment import Close, Fork, Open, Session, Snapshot, Step
from quintet.messages.execution import Act, Candidate, Claim, Turn, Unreadable
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.history import TaskHistory
from quintet.methods.devils_advocate.questions import Questions
from quintet.methods.devils_advocate.stack import Ahead, Checkpoint, CurrentStep, Entry, Look, Tried
from quintet.parsing.notes import read_note
from quintet.roles.turn_text import reminder, turn_of
from quintet.search.proposals import merge

_MOST_ANSWERS = 4
"""Answers of the executor in one state, of which the last must be an action for the world. The others are notes, or
have no action. Without an action nothing is pushed."""

_NO_CLAIM = "Whether it is completed is judged from what is seen. Please give the next action."


class Trial:
    """Pursues a plan in a session of its own, until the model says that the task is completed or the stack is empty.

    Only one session is open at a time, unless remedies are tried ahead of need.

    Args:
        episode: whose roles act.
        session: to begin in. The answer names the one to continue in.
        look: what is seen in it.
        steps: of the plan, at least one.
        questions: to ask.
        history: of the task, which the trial adds to.
        most: actions that it may carry out, at least 1.
        speculate: whether remedies are tried ahead of need.
    """

    def __init__(
        self,
        episode: Episode,
        session: Session,
        look: Look,
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
        self._at = Checkpoint(look=look, actions=history.actions)
        self._look = look
        """What is seen now. After going back it may differ from what was seen in the state."""
        self.actions = 0
        """That were carried out."""

    async def run(self) -> Solved | Unsolved:
        """The answer, with the turns that were not gone back on. Of rewards it decides nothing."""
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
            tried = await self._take(entry)
            self._arrive(entry, tried)
            if tried.stepped.lasting:
                await self._empty_stack()
            if (tried.aligned or self._at.done) and await self._ask.is_completed(entry.where, self._look, task=True):
                return None
            if tried.aligned and not self._at.done:
                reason = await self._go_on(entry.where)
        return reason or "the plan failed, and no remedy is left"

    async def _go_on(self, where: CurrentStep) -> str:
        """Choose the next action, for the next step if this one is completed; why the trial ends, if it does."""
        completed = await self._ask.is_completed(where, self._look, task=False)
        step = where.next() if completed else where
        return "" if step is None else await self._choose(step)

    async def _choose(self, where: CurrentStep) -> str:
        """Push the next action on its remedies; why the trial ends, if it does."""
        unread: tuple[Turn, ...] = ()
        for _ in range(_MOST_ANSWERS):
            candidate = await self._ask.action(where, self._look, unread)
            if candidate is None:
                return "a model refuses"
            unread = ()
            match candidate.decision:
                case Act(action=action):
                    note = read_note(action)
                    if note is None:
                        await self._push(where, candidate)
                        return ""
                    self._history.note(note)
                case Claim():
                    unread = (Turn(completion=candidate.completion, observation=_NO_CLAIM),)
                case Unreadable(finish="context_full"):
                    return "context full"
                case Unreadable() as unreadable:
                    unread = (Turn(completion=candidate.completion, observation=reminder(unreadable)),)
        return ""

    async def _push(self, where: CurrentStep, first: Candidate) -> None:
        remedies = await self._ask.remedies(where, self._look, first)
        entries = [
            Entry(state=self._at, look=self._look, proposal=each, where=where) for each in (*remedies, *merge((first,)))
        ]
        self._stack += entries
        if self._speculate and remedies:
            await self._try_ahead(entries[:-1])

    async def _take(self, entry: Entry) -> Tried:
        """Go back to the state of an action if necessary, and carry it out; or take what was found ahead of need."""
        if entry.ahead is not None:
            tried = await entry.ahead.result()
            await self._episode.ask(Close(session=self._session))
            self._return_to(entry.state, entry.ahead.session, entry.look)
            return tried
        if entry.state is not self._at:
            await self._go_back(entry.state)
        if any(below.state is self._at and below.ahead is None for below in self._stack[-1:]):
            await self._write_down(self._at)
        action = entry.proposal.action
        if self._look is not entry.look:
            action = await self._ask.retarget(action, entry.look.text, self._look.text)
        return await self._try(entry, self._session, self._look, action)

    async def _try(self, entry: Entry, session: Session, before: Look, action: str) -> Tried:
        step = Step(session=session, action=action, thought=entry.proposal.thought)
        stepped = await self._episode.ask(step)
        look = await self._ask.look_at(stepped.observation)
        aligned, description = await self._ask.align(entry.where, action, before.short, look.short)
        return Tried(action=action, stepped=stepped, look=look, aligned=aligned, description=description)

    def _arrive(self, entry: Entry, tried: Tried) -> None:
        """Be in the state behind an action. A rejected one leaves the state and what is seen in it as they were."""
        self.actions += 1
        observed = " ".join(tried.stepped.observation.split())
        self._history.add(tried.description or f"{tried.action}: {observed}")
        if tried.stepped.rejected:
            return
        turn = turn_of(tried.action, tried.stepped.observation, entry.proposal.thought)
        self._look = tried.look
        self._at = Checkpoint(
            look=tried.look,
            actions=self._history.actions,
            turns=(*self._at.turns, turn),
            action=tried.action,
            reward=tried.stepped.reward,
            done=tried.stepped.done,
        )

    async def _write_down(self, state: Checkpoint) -> None:
        if state.snapshot is None:
            taken = await self._episode.ask(Snapshot(session=self._session))
            state.snapshot, state.origin = taken.snapshot, self._session.id

    async def _go_back(self, state: Checkpoint) -> None:
        await self._episode.ask(Close(session=self._session))
        request = Open(task=self._episode.task, snapshot=state.snapshot, origin=state.origin)
        opened = await self._episode.ask(request)
        look = state.look if opened.exact else await self._ask.look_at(opened.observation)
        self._return_to(state, opened.session, look)

    def _return_to(self, state: Checkpoint, session: Session, look: Look) -> None:
        if state is not self._at:
            self._history.undo(state.actions)
        self._at, self._session, self._look = state, session, look

    async def _try_ahead(self, remedies: list[Entry]) -> None:
        """Try each on a copy of the world, in a branch of its own."""
        group = await self._groups.enter_async_context(self._episode.branches())
        for entry in remedies:
            copy = await self._episode.ask(Fork(session=self._session))
            branch = group.start(self._try, entry, copy.session, self._look, entry.proposal.action)
            entry.ahead = Ahead(group=group, branch=branch, session=copy.session)

    async def _empty_stack(self) -> None:
        """Drop all entries. Those that are tried ahead of need are stopped, and their sessions closed."""
        unused = [entry.ahead for entry in self._stack if entry.ahead is not None]
        self._stack.clear()
        for group in dict.fromkeys(ahead.group for ahead in unused):
            await group.stop()
        for ahead in unused:
            await self._episode.ask(Close(session=ahead.session))
