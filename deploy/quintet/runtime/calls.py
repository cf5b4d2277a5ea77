"""Model calls: look up the journal, take a permit, attempt the call, commit its answer, settle the permit; or retry."""

import asyncio
import itertools
import logging
import math
import re
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from hashlib import blake2b
from types import TracebackType
from typing import Final, cast

import msgspec
from msgspec.structs import replace

from quintet.errors import (
    ActorCrashed,
    DeadlineExceeded,
    EndpointUnavailable,
    Fault,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    ReplayMismatch,
    Suspension,
    one_line,
    utf8,
)
from quintet.events import CallMade, Record
from quintet.events.recording import Recording, first_difference
from quintet.messages.continuations import COPIED, Continuation, seed_path
from quintet.messages.paths import Path, child
from quintet.messages.prompts import ChatMessage, Prompt, user
from quintet.messages.quota import HasQueued, Permit, Refuses, Reserve, Settle
from quintet.messages.wire import encode
from quintet.plugins.code_places import defined_at
from quintet.ports.model import (
    Asked,
    Billed,
    Completion,
    DrawsSeveral,
    KeepsReasoning,
    Legibility,
    Model,
    Sampling,
    TakesQuestions,
    Usage,
)
from quintet.ports.transport import DRIVER, Address
from quintet.ports.world import PlayedWorld
from quintet.quota.quota import QUOTA
from quintet.roles.context import current
from quintet.runtime.host import Host
from quintet.runtime.recorder import Recorder
from quintet.runtime.retries import AWAY, RETRIED, RetryPolicy, RetryState

_log = logging.getLogger("quintet.calls")

_PLAIN = Prompt(user("Hello."))
"""A prompt that any model can answer."""


def call_seed(seed: int, path: Path, sampling_seed: int = 0, continues: Continuation | None = None) -> int:
    """A call's seed, in [0, 2^31): a hash of the run's seeds, the path without its attempt and the draw."""
    seeds = f"{seed}+{sampling_seed}" if sampling_seed else f"{seed}"
    if continues is not None and continues.draw:
        seeds = f"{seeds}~{continues.draw}"
    digest = blake2b(f"{seeds}/{seed_path(path, continues)}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


@dataclass(frozen=True)
class _Call:
    paths: tuple[Path, ...]
    """Of the completions that are wanted of it, one at least."""
    incarnation: int
    phase: str
    sampling: Sampling
    """For one completion, with a seed."""
    asked: Asked | None
    """For a model that takes it."""
    legibility: Callable[[Completion], Legibility] | None
    """What the role will find in an answer; None: it asks nothing that has to be read."""
    retries: RetryState

    @property
    def path(self) -> Path:
        """What its attempts are counted and charged under."""
        return self.paths[0]


@dataclass(eq=False)
class JournaledModel:
    """A model whose completions are journaled under the running request's path, and in a replay read from there.

    A completion is returned only once it is committed, so a crash repeats at most the calls in flight.
    """

    model: Model
    """Called where nothing is recorded."""
    recorder: Recorder
    permits: "Permits"
    """The host's; every attempt takes one."""
    _: KW_ONLY
    seed: int
    sampling_seed: int = 0
    policy: RetryPolicy
    """When and how often a call is attempted again."""
    apart: bool = False
    """Whether an episode's limits do not count its calls."""
    world: PlayedWorld | None = None
    """The run's, for a model that takes typed questions."""
    batched: bool = False
    """Whether its calls wait for batches, without limits of rate."""

    def __post_init__(self) -> None:
        # Looked at once: it costs a call ten microseconds.
        self._takes_questions = self.model if isinstance(self.model, TakesQuestions) else None
        self._draws_several = self.model if isinstance(self.model, DrawsSeveral) else None
        self._keeps = self.model if isinstance(self.model, KeepsReasoning) else None
        self._account = self.model.account if isinstance(self.model, Billed) else ""
        self._has_drawn_several = False
        """By one request, in this process."""
        self._warned = False
        """That answers of this model are out of bounds."""

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._journaled(prompt, sampling, None)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        return await self._journaled(prompt, sampling, asked)

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        """The most completions that an attempt for `n` may bring now; a `ModelFault` if the model says anything odd."""
        if n == 1 or self._draws_several is None:
            return 1
        most = self._draws_several.draws_at_once(sampling, n)
        if most not in range(1, n + 1):
            raise ModelFault(f"{self.name}: expected to draw 1 to {n} completions at once, got {most}")
        return most

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> tuple[Completion, ...]:
        """Draw up to `n` completions by one call, each under a path of its own; one, if the model draws no more.

        They are committed together, so a crash never leaves a part of them.
        """
        with current().turn() as (path, recording):
            recording.here(None)  # they stand below
            paths = tuple(child(path, number) for number in range(1, n + 1))
            replayed = (self._replayed(recording.below(path), prompt) for path in paths)
            if found := tuple(completion for completion in replayed if completion is not None):
                return found
            return await self._answer(self._call(paths, sampling, asked), prompt)

    def _with_world(self, asked: Asked | None) -> Asked | None:
        if asked is None or (self._takes_questions is None and self._draws_several is None):
            return None
        return replace(asked, trail=current().start, world=self.world, legibility=None)

    async def _journaled(self, prompt: Prompt, sampling: Sampling, asked: Asked | None) -> Completion:
        with current().turn() as (path, recording):
            found = self._replayed(recording, prompt)
            return found or (await self._answer(self._call((path,), sampling, asked), prompt))[0]

    def _replayed(self, recording: Recording, prompt: Prompt) -> Completion | None:
        recorded = recording.here(CallMade.kind)
        if recorded is None:
            return None
        continues = current().continues
        if recorded.incarnation != COPIED or continues is None or continues.compares:
            _refuse_other_prompt(recording.path, prompt, recorded)
            self.recorder.prompts.add(prompt)
        assert isinstance(recorded.event, CallMade)
        if self._keeps is not None:
            self._keeps.keep(prompt, recorded.event.completion)
        return recorded.event.completion

    def _call(self, paths: tuple[Path, ...], sampling: Sampling, asked: Asked | None) -> _Call:
        context = current()
        sampling = replace(sampling, seed=call_seed(self.seed, paths[0], self.sampling_seed, context.continues))
        retries = RetryState(self.policy, known=partial(self.permits.knows, self.name))
        legibility = None if asked is None else asked.legibility
        return _Call(paths, context.incarnation, context.phase, sampling, self._with_world(asked), legibility, retries)

    async def _answer(self, call: _Call, prompt: Prompt) -> tuple[Completion, ...]:
        """Attempt the call until it is answered and committed, or no further attempt is due."""
        while True:
            try:
                return await self._attempt(call, prompt, journaled=True)
            except (ModelFault, DeadlineExceeded) as fault:
                pause = call.retries.pause_after(fault)
                if pause is None:
                    await self._outlast(call, fault)
                else:
                    _log.warning("%s; again in %.1f s", _describe(fault), pause, extra={"path": call.path})

    async def _attempt(self, call: _Call, prompt: Prompt, *, journaled: bool) -> tuple[Completion, ...]:
        """Make one attempt under a permit of its own, and commit its answers if they are to be `journaled`.

        The quota makes the pause that is due before it grants the permit, so the pause is no working time.
        """
        n = 1 if prompt is _PLAIN else self.draws_at_once(call.sampling, len(call.paths))
        most = _most(prompt, call.sampling, n)
        delay = call.retries.take_delay()
        held = self.permits.hold(
            call.path,
            call.incarnation,
            self.name,
            most,
            delay,
            n=n,
            apart=self.apart,
            batched=self.batched,
            account=self._account,
        )
        async with held as permit:
            if permit.answers < n:
                n, most = permit.answers, _most(prompt, call.sampling, permit.answers)
            started, began = time.perf_counter(), asyncio.get_running_loop().time()
            try:
                drawn, sampling = await self._complete(call, prompt, n)
            finally:
                call.retries.attempted(asyncio.get_running_loop().time() - began)
            bounded = [_bound(completion, most) for completion in drawn]
            completions = tuple(completion for completion, _ in bounded)
            permit.answered(completions[0], len(completions))
            for _, wrong in bounded:
                if wrong and not self._warned:
                    self._warned = True
                    _log.warning(
                        "%s: %s; bounded, here and in further answers", self.name, wrong, extra={"path": call.path}
                    )
            if journaled:
                events = [
                    CallMade(
                        path=path,
                        model=self.name,
                        prompt=prompt.node.address,
                        sampling=replace(sampling, tools=()) if sampling.tools else sampling,
                        completion=completion,
                        bounded=bool(wrong),
                        phase=call.phase,
                        legibility=_legibility(call, completion),
                    )
                    for path, (completion, wrong) in zip(call.paths, bounded, strict=False)
                ]
                seconds = time.perf_counter() - started
                # Inside the permit: a budget that stops the run while nothing is reserved loses no answer.
                await self.recorder.commit_call(*events, incarnation=call.incarnation, prompt=prompt, seconds=seconds)
                if self._keeps is not None:
                    for completion in completions:
                        self._keeps.keep(prompt, completion)
        return completions

    async def _complete(self, call: _Call, prompt: Prompt, n: int) -> tuple[list[Completion], Sampling]:
        """Draw within the deadline; see `_draw`."""
        timer = asyncio.timeout(self.policy.deadline)
        try:
            async with timer:
                drawn, sampling = await self._draw(call, prompt, n)
        except EndpointUnavailable:
            raise
        except Suspension as error:
            # No other fault of a plug-in may suspend the run.
            raise ModelFault(f"{call.path}: {self.name}: {_describe(error)}") from error
        except TimeoutError as error:
            if not timer.expired():
                raise
            late = f"no completion within {self.policy.deadline} s (limits.model_seconds)"
            raise DeadlineExceeded(f"{call.path}: {self.name}: {late}") from error
        return [self._check(completion) for completion in drawn[:n]], sampling

    async def _draw(self, call: _Call, prompt: Prompt, n: int) -> tuple[Sequence[Completion], Sampling]:
        """Draw up to `n` completions, and say with which sampling.

        A request for several has no seed, since a server might draw all alike. But a server may draw one all the same,
        which has to be that of a process that already knows so: until the model has drawn several, it has the seed too.
        When that is depends on time, so of several none is recorded. A call by batch has the same name after a restart:
        what this process knows must not change it.
        """
        asked, sampling = call.asked, call.sampling
        if n > 1 and self._draws_several is not None and asked is not None:
            shared = replace(sampling, seed=None) if self.batched or self._has_drawn_several else sampling
            several: object = await self._draws_several.several(prompt, shared, asked, n)
            if not isinstance(several, (list, tuple)):
                got = type(several).__name__
                raise ModelFault(f"{call.path}: {self.name}: expected several completions, got {got}")
            drawn = cast("Sequence[Completion]", several)
            if len(drawn) == 1:
                return drawn, shared
            if drawn:
                self._has_drawn_several = True
                return drawn, replace(shared, seed=None)
        if self._takes_questions is None or asked is None or prompt is _PLAIN:
            return [await self.model.complete(prompt, sampling)], sampling
        return [await self._takes_questions.answer(prompt, sampling, asked)], sampling

    def _check(self, completion: Completion) -> Completion:
        """A plug-in's completion as the journal will have it: constructing one checks nothing, decoding does."""
        try:
            return _completions.decode(encode(completion))
        except UnicodeEncodeError:
            # JSON can contain lone surrogates, UTF-8 cannot.
            answer = completion.tool_answer
            if answer is not None:
                answer = replace(answer, tools=utf8(answer.tools), message=utf8(answer.message))
            text, reasoning = utf8(completion.text), utf8(completion.reasoning)
            return replace(completion, text=text, reasoning=reasoning, tool_answer=answer)
        except (msgspec.ValidationError, TypeError) as error:
            what = f"expected a Completion, got {type(completion).__name__}: {error}"
            raise ActorCrashed(f"{defined_at(type(self.model))}: {self.name}: {what}") from error

    async def _outlast(self, call: _Call, fault: Fault) -> None:
        """Find out whether only this call failed or its endpoint is away; if it is away, wait until it answers again.

        The endpoint is asked a plain question. If it answers both before and after an attempt that fails, the fault is
        due to this prompt. One answer is not enough, since an outage may have ended just before it.

        Raises:
            Fault: `fault`, because the endpoint answers other prompts.
            EndpointUnavailable: it answers nothing and was waited for long enough, or it refuses the plain question in
                the same words.
        """
        retries = call.retries
        if isinstance(fault, AWAY):
            raise EndpointUnavailable(f"{fault} (waited for {retries.paused:.0f} s)") from fault
        other = await self._plain_fault(call)
        if not isinstance(fault, RETRIED):
            if _in_the_same_words(fault, other):
                raise EndpointUnavailable(f"{fault} (so is any other prompt)") from fault
            raise fault
        if not isinstance(other, RETRIED):
            if retries.answers_others:
                raise fault
            retries.answers_others = True
            return
        while isinstance(other, RETRIED):
            pause = retries.wait(other)
            if pause is None:
                raise EndpointUnavailable(f"{fault} (waited for {retries.paused:.0f} s)") from fault
            _log.warning("%s; it is away, asked again in %.1f s", _describe(other), pause, extra={"path": call.path})
            other = await self._plain_fault(call)
        retries.begin_again()

    async def _plain_fault(self, call: _Call) -> Fault | None:
        """What a plain question meets, with the call's sampling; None: an answer. It is charged like any other call."""
        try:
            await self._attempt(call, _PLAIN, journaled=False)
        except (ModelFault, DeadlineExceeded) as fault:
            return fault
        return None


def _refuse_other_prompt(path: Path, prompt: Prompt, recorded: Record) -> None:
    event = recorded.event
    assert isinstance(event, CallMade)
    if event.prompt != prompt.node.address:
        before = recorded.prompts[-1].appended if recorded.prompts else ()
        now = prompt.messages()[-len(before) :] if before else prompt.messages()
        raise ReplayMismatch(f"{path}: prompt: {first_difference(_text(before), _text(now))}")


def _text(messages: tuple[ChatMessage, ...]) -> str:
    return "\n".join(f"{message.role}: {message.content}" for message in messages)


def _describe(fault: Fault) -> str:
    return f"{type(fault).__name__}: {one_line(fault)}"


def _in_the_same_words(fault: Fault, other: Fault | None) -> bool:
    """Whether two refusals say the same, apart from words with digits, such as the number of a request."""

    def words(refusal: Fault) -> list[str]:
        return [word for word in str(refusal).split() if not re.search(r"\d", word)]

    return other is not None and type(other) is type(fault) and words(other) == words(fault)


# Permits

_QUOTA: Final = Address(host=DRIVER, role=QUOTA)


class Permits:
    """A host's side of the quota."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._numbers = itertools.count(1)
        self._known: set[str] = set()

    def knows(self, model: str) -> bool:
        """Whether a model has answered any call from this host so far."""
        return model in self._known

    def hold(
        self,
        path: Path,
        incarnation: int,
        model: str,
        most: Usage,
        delay: tuple[float, float] = (0.0, 0.0),
        *,
        n: int = 1,
        apart: bool = False,
        batched: bool = False,
        account: str = "",
    ) -> "CallAttempt":
        """Wait for a permit for one attempt at a call, and settle it on leaving.

        Args:
            most: an upper bound of what the attempt uses.
            delay: seconds to pause before it is granted, and seconds that the attempt before took until it failed.
            n: how many answers it may bring, each of which counts as a call; the permit may be for one only.
            apart: whether the episode's limits do not count it.
            batched: whether it waits for a batch; see `Reserve`.
            account: of the model; see `Reserve`.

        Raises:
            BudgetSpent: the run may not spend that much.
            EpisodeBudgetSpent: the episode may not.
        """
        pause, lost = delay
        reserve = Reserve(
            permit=f"{self._host.name}/{next(self._numbers)}",
            host=self._host.name,
            model=model,
            prompt_tokens=most.prompt_tokens,
            completion_tokens=most.completion_tokens,
            pause=pause,
            lost=lost,
            answers=n,
            apart=apart,
            batched=batched,
            account=account,
        )
        return CallAttempt(self._host, reserve, path, incarnation, self._known)

    async def queued(self) -> float:
        """For how many seconds the running episode has waited for permits and endpoints so far."""
        here = current()
        reply = await self._host.ask(_QUOTA, HasQueued(), path=here.path, incarnation=here.incarnation)
        return reply.seconds


@dataclass(slots=True, eq=False)
class CallAttempt:
    """One attempt at a call, within which its permit is held."""

    host: Host
    reserve: Reserve
    path: Path
    """Of the call."""
    incarnation: int
    known: set[str]
    """The models that have answered."""
    held: "HeldPermit" = field(init=False)
    _token: Token["CallAttempt"] = field(init=False)

    async def __aenter__(self) -> "HeldPermit":
        self.held = HeldPermit(self.reserve.permit)
        try:
            granted = await self.host.ask(_QUOTA, self.reserve, path=self.path, incarnation=self.incarnation)
        except BaseException:
            self.host.tell(_QUOTA, self.held.settlement)
            raise
        self.held.answers = granted.answers
        self._token = _attempt.set(self)
        return self.held

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _attempt.reset(self._token)
        if error is None:
            self.known.add(self.reserve.model)
        else:
            self.held.failed(error)
        self.host.tell(_QUOTA, self.held.settlement)


_attempt: ContextVar[CallAttempt] = ContextVar("attempt")


def running_attempt() -> CallAttempt:
    """The attempt that a model is asked in; a `LookupError` outside of one."""
    return _attempt.get()


class HeldPermit:
    """A permit and its settlement."""

    def __init__(self, permit: Permit) -> None:
        self.permit = permit
        self.answers = 1
        """How many completions the attempt may bring, once it is granted."""
        self.settlement = Settle(permit=permit, outcome="unused")

    def answered(self, completion: Completion, answers: int = 1) -> None:
        """The model answered, the first of its `answers` being this; what happens to them changes nothing.

        Usage of 0 tokens means that the model does not report it, unless the prompt did not fit: then nothing was used.
        """
        usage = completion.usage
        known = usage.prompt_tokens or usage.completion_tokens or completion.finish == "context_full"
        self.settlement = Settle(
            permit=self.permit, outcome="answered", usage=usage if known else None, answers=answers
        )

    def failed(self, error: BaseException) -> None:
        """The attempt ended by an exception; after an answer that changes nothing."""
        if self.settlement.outcome != "unused":
            return
        match error:
            case Overloaded(retry_after=after):
                # A plug-in may have put anything there.
                seconds = float(after) if isinstance(after, int | float) and 0 <= after < math.inf else None
                self.settlement = Settle(permit=self.permit, outcome="overloaded", retry_after=seconds)
            case NoAnswer():
                self.settlement = Settle(permit=self.permit, outcome="failed")
            case KeyRefused(model_only=model_only):
                refuses: Refuses = "model" if model_only else "key"
                self.settlement = Settle(permit=self.permit, outcome="refused", refuses=refuses)
            case ModelFault() | EndpointUnavailable():
                self.settlement = Settle(permit=self.permit, outcome="refused")
            case asyncio.CancelledError():
                self.settlement = Settle(permit=self.permit, outcome="cancelled")
            case _:
                self.settlement = Settle(permit=self.permit, outcome="failed")


def _most(prompt: Prompt, sampling: Sampling, n: int) -> Usage:
    """An upper bound of what an attempt for `n` completions uses."""
    tools = len(msgspec.json.encode(sampling.tools)) if sampling.tools else 0
    return Usage(prompt_tokens=prompt.most_tokens + tools, completion_tokens=n * sampling.max_tokens)


def _legibility(call: _Call, completion: Completion) -> Legibility:
    """What the role will find in a completion that ended by itself. It reads once more after the commit."""
    if completion.finish != "stop":
        return "read"
    if call.legibility is None:
        return "free"
    try:
        return call.legibility(completion)
    except Exception:  # noqa: BLE001  a bug of a reader is met again after the commit, and ends the episode there
        return "free"


# Bounds of an answer

LONGEST_TEXT = 2**20
"""Characters of a completion, and of its reasoning. A longer message with calls of tools is not kept: the text is."""
_LONGEST_FINGERPRINT = 256

_completions = msgspec.msgpack.Decoder(Completion)


def _bound(completion: Completion, most: Usage) -> tuple[Completion, str]:
    """A completion within its bounds, and what was out of bounds; empty if nothing was.

    Usage is bounded by what was reserved for the call. A text that is too long is cut off.
    """
    wrong: list[str] = []
    used = completion.usage
    prompt_tokens = min(used.prompt_tokens, most.prompt_tokens)
    completion_tokens = min(used.completion_tokens, most.completion_tokens)
    usage = Usage(
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cached_tokens=min(used.cached_tokens, prompt_tokens),
        reasoning_tokens=min(used.reasoning_tokens, completion_tokens),
    )
    if usage != used:
        bounds = f"{most.prompt_tokens:,} and {most.completion_tokens:,}"
        got = f"{used.prompt_tokens:,} and {used.completion_tokens:,}"
        wrong.append(f"expected at most {bounds} tokens of prompt and completion, got {got}")
    if len(completion.text) > LONGEST_TEXT:
        wrong.append(f"expected at most {LONGEST_TEXT:,} characters, got {len(completion.text):,}")
        completion = replace(completion, text=completion.text[:LONGEST_TEXT], finish="length")
    if completion.tool_answer is not None and len(completion.tool_answer.message) > LONGEST_TEXT:
        completion = replace(completion, tool_answer=replace(completion.tool_answer, message=""))
    reasoning, fingerprint = completion.reasoning[:LONGEST_TEXT], completion.fingerprint[:_LONGEST_FINGERPRINT]
    return replace(completion, usage=usage, reasoning=reasoning, fingerprint=fingerprint), "; ".join(wrong)
