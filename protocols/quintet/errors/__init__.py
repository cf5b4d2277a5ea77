"""Faults: what ends a request without a reply.

    Fault
    ├── Suspension: HostLost (StaleIncarnation, ProcessLost), RoleLost, JournalFault (JournalDamaged, PromptUnknown),
    │               StoreFault, BudgetSpent, EndpointUnavailable (KeyRefused, NoneAnswered), LearnerFaulted, HookCrashed
    ├── ModelFault: Overloaded, Unreachable, EndpointFailed, NoAnswer
    ├── WorldFault: SessionGone
    └── Undecodable, DeadlineExceeded, EpisodeBudgetSpent, RunClosed, RunBusy, ReplayMismatch, ActorCrashed

An *outcome* (no usable plan, step limit, wrong answer) is a reply message, never a fault. A fault ends its own episode
as faulted; a suspension writes nothing. `UsageError` is outside the tree: the user can correct it.
"""

from msgspec import Struct


class Fault(Exception):
    """Base of everything that keeps a request from its reply."""

    detail: str = ""
    """A traceback or another long text for the log; the message itself stays one line."""


class Suspension(Fault):
    """The episode is not at fault. Nothing is written under its path; it goes on from its journal."""


class HostLost(Suspension):
    """A host died, or a batch to it was not acknowledged. The episode is taken up again from its journal."""


class StaleIncarnation(HostLost):
    """A newer incarnation of the episode has begun; what this one still does is discarded."""


class ProcessLost(HostLost):
    """The process that held a session ended: one of a world, or a browser. The episode is taken up again."""


class Undecodable(Fault):
    """Bytes that are not a message of the role they were sent to."""


class DeadlineExceeded(Fault):
    """A model call or an environment step took longer than its deadline."""


class ModelFault(Fault):
    """The endpoint failed, or its answer is not a completion."""


class Overloaded(ModelFault):
    """The endpoint asks to come back later. The call cost nothing; it is repeated, and fewer are made at a time."""

    retry_after: float | None = None
    """Seconds, if the endpoint says so. Not carried over the wire."""


class Unreachable(ModelFault):
    """The endpoint could not be connected to. The call cost nothing; it is repeated, and then the run suspends."""


class EndpointFailed(ModelFault):
    """The endpoint answered that it failed (502, say). The call cost nothing; it is repeated."""


class NoAnswer(ModelFault):
    """A call was sent and brought no usable answer. It may have been charged; it is repeated."""


class WorldFault(Fault):
    """An environment broke its contract. A crash of its code is an `ActorCrashed`, with its traceback."""


class SessionGone(WorldFault):
    """A session was used after its close, or was never opened."""


class RoleLost(Suspension):
    """Every host of a role died: the run stops, and resumes later."""


class ReplayMismatch(Fault):
    """A replay differs from what was recorded, in a prompt or an observation, say."""


class JournalFault(Suspension):
    """The journal could not be read or written: the run stops, and resumes later."""


class JournalDamaged(JournalFault):
    """The journal's content is unreadable: the run stops, and a resume stops there too, rather than pay again."""


class PromptUnknown(JournalFault):
    """The journal does not know the prompt that a call continues: it was forgotten, or belongs to an earlier start."""


class StoreFault(Suspension):
    """The memory's file could not be read or written: the run stops, and resumes later."""


class BudgetSpent(Suspension):
    """The run's budget is spent: it stops, and resumes under a larger one."""


class EndpointUnavailable(Suspension):
    """An endpoint answers no prompt, or with nothing usable: the run stops, and resumes."""


class KeyRefused(EndpointUnavailable):
    """An endpoint lets in nothing with this key: no call that was under way with it brought anything."""

    model_only: bool = False
    """It may let in calls of other models. Not carried over the wire."""


class NoneAnswered(EndpointUnavailable):
    """A model's first completions hold no answer: the run stops, and says what to change, most often for a new run."""


class LearnerFaulted(Suspension):
    """The learner met a fault: the run stops, and a resume continues the learner from the journal."""


class HookCrashed(Suspension):
    """A hook has a bug: the run stops, and resumes."""


class EpisodeBudgetSpent(Fault):
    """One episode's budget is spent. Its outermost subtask turns this into an outcome."""


class RunClosed(Fault):
    """A ref was asked after its run was closed, or the run was closed before the answer."""


class RunBusy(Fault):
    """A ref was asked while as many asks as the run takes were under way. Nothing was sent; ask again later."""


class ActorCrashed(Fault):
    """A bug, ours or a plug-in's: an actor raised something that is not a fault."""

    episode: str = ""
    """The path of the episode that the run was stopped at. Not carried over the wire."""


class UsageError(Exception):
    """An error that the user can correct: the text says what was expected, what was found, and where. Exit code 2."""


def _tree(root: type[Fault]) -> dict[str, type[Fault]]:
    kinds = {root.__name__: root}
    for kind in root.__subclasses__():
        kinds |= _tree(kind)
    return kinds


_KINDS = _tree(Fault)
"""By name. A plug-in's subclass crosses the wire as the kind it derives from, with its own name in the text."""

_LONGEST_TEXT, _LONGEST_DETAIL = 2_000, 50_000


def one_line(error: BaseException) -> str:
    """An exception's message as one short line of valid UTF-8, or a note that it has no readable one."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001  a plug-in's exception may fail at anything
        return f"<{type(error).__name__} without a readable message>"
    return utf8(_shown(" ".join(text.split())[:_LONGEST_TEXT]))


def _shown(text: str) -> str:
    """`text` with control characters and unprintable ones escaped."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def utf8(text: str) -> str:
    """`text` with lone surrogates, which UTF-8 cannot encode, escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


class FaultNote(Struct, frozen=True, kw_only=True):
    """A fault as it crosses the wire, and as the journal keeps it."""

    kind: str
    text: str
    detail: str = ""

    @classmethod
    def of(cls, fault: Fault) -> "FaultNote":
        """A fault in short, valid UTF-8, whatever a plug-in raised."""
        ours = next(kind for kind in type(fault).__mro__ if _KINDS.get(kind.__name__) is kind)
        name = "" if type(fault) is ours else f"{type(fault).__name__}: "
        detail = utf8(str(fault.detail))
        return cls(kind=ours.__name__, text=name + one_line(fault), detail=detail[-_LONGEST_DETAIL:])

    def fault(self) -> Fault:
        """The fault again; a kind that is not in this tree becomes a plain `Fault`."""
        fault = _KINDS.get(self.kind, Fault)(self.text)
        fault.detail = self.detail
        return fault
