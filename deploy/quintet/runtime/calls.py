"""Model calls around any model: look-up in the journal, permit, call, commit, settlement; until it is answered."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import blake2b
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from quintet.errors import (
    DeadlineExceeded,
    EndpointUnavailable,
    Fault,
    ModelFault,
    ReplayMismatch,
    Suspension,
    one_line,
    utf8,
)
from quintet.events import CallMade, Record
from quintet.messages.paths import Path, without_attempt
from quintet.messages.prompts import ChatMessage, Prompt, user
from quintet.messages.wire import encode
from quintet.ports.model import Completion, Model, Sampling
from quintet.roles.context import current
from quintet.runtime.bounds import bounded
from quintet.runtime.permits import Permits
from quintet.runtime.recorder import Recorder, first_difference
from quintet.runtime.retries import AWAY, REPEATED, RetryPolicy, RetryState

log = logging.getLogger("quintet.calls")

_completions = msgspec.msgpack.Decoder(Completion)

_PLAIN = Prompt(user("Hello."))
"""What any model can be asked."""


class _Answer(NamedTuple):
    """A completion within its bounds."""

    completion: Completion
    seconds: float
    """It took."""
    bounded: bool
    """It was out of bounds before."""


def call_seed(seed: int, path: Path) -> int:
    """A call's seed, in [0, 2^31): a hash of the run's seed and the path without its attempt."""
    digest = blake2b(f"{seed}/{without_attempt(path)}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


class JournaledModel:
    """A model whose completions are journaled under the running request's path, and taken from there in a replay.

    A completion is handed on only once it is committed, so a crash repeats at most the calls in flight.

    Args:
        model: who is called.
        witness: the host's.
        permits: the host's; every attempt takes one.
        seed: the run's.
        patience: when and how often a call is repeated.
    """

    def __init__(self, model: Model, recorder: Recorder, permits: Permits, *, seed: int, patience: RetryPolicy) -> None:
        self._model = model
        self._witness = recorder
        self._permits = permits
        self._seed = seed
        self._patience = patience
        self._out_of_bounds = False
        """It was said that usage or texts of this model are out of bounds."""

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        conversation = current()
        with conversation.turn() as (path, recording):
            sampling = replace(sampling, seed=call_seed(self._seed, path))
            recorded = recording.here(CallMade.kind)
            if recorded is not None:
                return self._replay(path, prompt, recorded)
            return await self._retry(path, conversation.incarnation, prompt, sampling)

    async def _retry(self, path: Path, incarnation: int, prompt: Prompt, sampling: Sampling) -> Completion:
        """Attempt the call until it is answered and committed, or patience ends."""
        trials = RetryState(self._patience)
        while True:
            try:
                return await self._attempt(path, incarnation, prompt, sampling, trials)
            except (ModelFault, DeadlineExceeded) as fault:
                pause = trials.pause_after(fault, known=self._permits.knows(self.name))
                if pause is None:
                    await self._outlast(fault, trials, path, incarnation, sampling)
                    continue
                log.warning("%s; again in %.1f s", _said(fault), pause, extra={"path": path})

    async def _outlast(
        self, fault: Fault, trials: RetryState, path: Path, incarnation: int, sampling: Sampling
    ) -> None:
        """Find out whether a call failed for good by itself or with everything else, and wait where that may pass.

        The endpoint is asked something that any model can answer. If it answers both before and after an attempt that
        fails, the fault is this prompt's own; before that, an outage may just have ended.

        Returns:
            Once an endpoint that was away is back, and once it answers for the first time.

        Raises:
            Fault: `fault`, since the endpoint answers others.
            EndpointUnavailable: it answers nothing, and patience is over; or it refuses every prompt in the same words.
        """
        if isinstance(fault, AWAY):
            raise EndpointUnavailable(_waited(fault, trials)) from fault
        trouble = await self._trouble(path, incarnation, sampling, trials)
        if not isinstance(fault, REPEATED):
            if _in_the_same_words(fault, trouble):
                raise EndpointUnavailable(f"{fault} (so is any other prompt)") from fault
            raise fault
        if not isinstance(trouble, REPEATED):
            if trials.answers_others:
                raise fault
            trials.answers_others = True
            return
        while isinstance(trouble, REPEATED):
            pause = trials.wait(trouble, known=self._permits.knows(self.name))
            if pause is None:
                raise EndpointUnavailable(_waited(fault, trials)) from fault
            log.warning("%s; it is away, and asked again in %.1f s", _said(trouble), pause, extra={"path": path})
            trouble = await self._trouble(path, incarnation, sampling, trials)
        trials.begin_again()

    async def _trouble(self, path: Path, incarnation: int, sampling: Sampling, trials: RetryState) -> Fault | None:
        """What a plain prompt meets, drawn in the same way; None: an answer. It is charged like any other call."""
        try:
            async with self._answered(path, incarnation, _PLAIN, sampling, trials):
                return None
        except (ModelFault, DeadlineExceeded) as fault:
            return fault

    async def _attempt(
        self, path: Path, incarnation: int, prompt: Prompt, sampling: Sampling, trials: RetryState
    ) -> Completion:
        async with self._answered(path, incarnation, prompt, sampling, trials) as answer:
            event = CallMade(
                path=path,
                model=self.name,
                prompt=prompt.node.address,
                sampling=sampling,
                completion=answer.completion,
                bounded=answer.bounded,
            )
            # The permit is held until then: a budget that stops the run while nothing is reserved loses no answer.
            await self._witness.commit(event, incarnation, seconds=answer.seconds, prompts=prompt.new_nodes())
        prompt.journaled = True
        return answer.completion

    @asynccontextmanager
    async def _answered(
        self, path: Path, incarnation: int, prompt: Prompt, sampling: Sampling, trials: RetryState
    ) -> AsyncGenerator["_Answer", None]:
        """What the model answered; inside, the permit for it is held.

        A pause that is due is made before the permit is granted, by the quota, so that it is no working time.
        """
        pause, lost = trials.take_delay()
        async with self._permits.one(
            path,
            incarnation,
            model=self.name,
            prompt_tokens=prompt.most_tokens,
            completion_tokens=sampling.max_tokens,
            pause=pause,
            lost=lost,
        ) as attempt:
            started, began = time.perf_counter(), asyncio.get_running_loop().time()
            try:
                completion = await self._call(path, prompt, sampling)
            finally:
                trials.attempted(asyncio.get_running_loop().time() - began)
            completion, wrong = bounded(completion, prompt, sampling)
            attempt.answered(completion)
            if wrong and not self._out_of_bounds:
                self._out_of_bounds = True
                log.warning("%s: %s; bounded, here and in further answers", self.name, wrong, extra={"path": path})
            yield _Answer(completion, time.perf_counter() - started, bool(wrong))

    async def _call(self, path: Path, prompt: Prompt, sampling: Sampling) -> Completion:
        deadline = self._patience.deadline
        timer = asyncio.timeout(deadline)
        try:
            async with timer:
                completion = await self._model.complete(prompt, sampling)
        except EndpointUnavailable:
            raise
        except Suspension as error:
            # A plug-in has no other say in what suspends a run.
            raise ModelFault(f"{path}: {self.name}: {type(error).__name__}: {one_line(error)}") from error
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise DeadlineExceeded(f"{path}: {self.name}: no completion within {deadline} s") from error
        return self._checked(path, completion)

    def _checked(self, path: Path, completion: Completion) -> Completion:
        """A plug-in's completion as the journal will have it: constructing one checks nothing, decoding it does."""
        try:
            return _completions.decode(encode(completion))
        except UnicodeEncodeError:
            # JSON can say lone surrogates, UTF-8 cannot.
            return replace(completion, text=utf8(completion.text), reasoning=utf8(completion.reasoning))
        except (msgspec.ValidationError, TypeError) as error:
            got = type(completion).__name__
            raise ModelFault(f"{path}: {self.name}: expected a Completion, got {got}: {error}") from error

    def _replay(self, path: Path, prompt: Prompt, recorded: Record) -> Completion:
        event = recorded.event
        assert isinstance(event, CallMade)
        if event.prompt != prompt.node.address:
            before = recorded.prompts[-1].appended if recorded.prompts else ()
            raise ReplayMismatch(f"{path}: prompt: {first_difference(_text(before), _text(prompt.node.appended))}")
        prompt.journaled = True
        return event.completion


def _text(messages: tuple[ChatMessage, ...]) -> str:
    return "\n".join(f"{message.role}: {message.content}" for message in messages)


def _said(fault: Fault) -> str:
    return f"{type(fault).__name__}: {one_line(fault)}"


def _waited(fault: Fault, trials: RetryState) -> str:
    return f"{fault} (waited for {trials.paused:.0f} s)"


def _in_the_same_words(fault: Fault, other: Fault | None) -> bool:
    """Whether two refusals say the same; words with digits, such as the number of a request, may differ."""

    def words(refusal: Fault) -> list[str]:
        return [word for word in str(refusal).split() if not re.search(r"\d", word)]

    return other is not None and type(other) is type(fault) and words(other) == words(fault)
