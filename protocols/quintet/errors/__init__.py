"""Faults: what may go wrong that is nobody's answer.

    Fault
    ├── Suspension          nothing an episode could be blamed for: it goes on from its journal, now or at a resume
    │   ├── HostLost        a host died, or a batch to it was not acknowledged
    │   │   └── StaleIncarnation this incarnation of an episode was taken up elsewhere
    │   ├── RoleLost        every host of a role died
    │   ├── JournalFault    the journal could not be read or written
    │   │   └── JournalDamaged  what it holds cannot be read, nor will a resume read it
    │   ├── BudgetSpent     what the run may spend is spent
    │   ├── EndpointUnavailable  an endpoint answers nobody, or with nothing that can be used
    │   └── LearnerFaulted  a learner met a fault, and no episode did
    ├── Undecodable         bytes that are no message of the role they were sent to
    ├── DeadlineExceeded    a model call or an environment step took longer than allowed
    ├── EpisodeBudgetSpent  what one episode may spend is spent
    ├── ModelFault          the endpoint failed, or answered with something that is no completion
    │   ├── Overloaded      it asks to come back later; the call cost nothing and is repeated
    │   ├── Unreachable     it could not be connected to; the call cost nothing and is repeated
    │   ├── EndpointFailed  it says that it failed; the call cost nothing and is repeated
    │   └── NoAnswer        it may have worked and charged, but no answer came; the call is repeated
    ├── WorldFault          an environment broke its contract
    │   └── SessionGone     a session was used after its close, or never opened
    ├── ReplayMismatch      a replay met something else than was recorded
    └── ActorCrashed        a bug: an actor or a plug-in raised something that is no fault

An *outcome* (no usable plan, step limit, wrong answer) is a reply message, never one of these. A fault ends its
episode as faulted and nobody else's, but for the suspensions, which write nothing at all. `UsageError` stands beside
the tree: the person at the keyboard can mend it.
"""

from msgspec import Struct


class Fault(Exception):
    """Base of everything that keeps a request from its reply."""

    detail: str = ""
    """A traceback or another long text for the log; the message itself stays one line."""


class Suspension(Fault):
    """Nothing an episode could be blamed for. Nothing is written under its path; it goes on from its journal."""


class HostLost(Suspension):
    """A host died, or a batch to it was not acknowledged. The episode is taken up again from its journal."""


class StaleIncarnation(HostLost):
    """This incarnation of an episode was taken up elsewhere; whatever it still does counts for nothing."""


class Undecodable(Fault):
    """Bytes that are no message of the role they were sent to."""


class DeadlineExceeded(Fault):
    """A model call or an environment step took longer than its deadline."""


class ModelFault(Fault):
    """The endpoint failed, or answered with something that is no completion."""


class Overloaded(ModelFault):
    """The endpoint asks to come back later. The call cost nothing; it is repeated, and fewer are made at a time."""

    retry_after: float | None = None
    """Seconds, where the endpoint says so. Not carried over the wire."""


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
    """A replay met something else than was recorded: a prompt or an observation differs."""


class JournalFault(Suspension):
    """The journal could not be read or written: the run stops, and resumes later."""


class JournalDamaged(JournalFault):
    """What the journal holds cannot be read: the run stops, and a resume stops there too, rather than pay again."""


class BudgetSpent(Suspension):
    """What the run may spend is spent: it stops, and resumes under a larger budget."""


class EndpointUnavailable(Suspension):
    """An endpoint answers nobody, or with nothing that can be used: the run stops, and resumes."""


class LearnerFaulted(Suspension):
    """What is learnt across episodes met a fault: the run stops, and a resume goes on where the learner stands."""


class EpisodeBudgetSpent(Fault):
    """What one episode may spend is spent. Its outermost subtask turns it into an outcome."""


class ActorCrashed(Fault):
    """A bug, ours or a plug-in's: an actor raised something that is no fault."""


class UsageError(Exception):
    """Something the user can mend: says what was expected, what was found, and where. Exit code 2."""


def _tree(root: type[Fault]) -> dict[str, type[Fault]]:
    kinds = {root.__name__: root}
    for kind in root.__subclasses__():
        kinds |= _tree(kind)
    return kinds


_KINDS = _tree(Fault)
"""By name. What a plug-in derives from these crosses the wire as the one it derives from, its own name in the text."""

_LONGEST_TEXT, _LONGEST_DETAIL = 2_000, 50_000


def one_line(error: BaseException) -> str:
    """An exception's message as one short line that UTF-8 can say; says so where there is none to be had."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001  a plug-in's exception may fail at anything
        return f"<{type(error).__name__} without a readable message>"
    return utf8(_shown(" ".join(text.split())[:_LONGEST_TEXT]))


def _shown(text: str) -> str:
    """`text` with what a terminal would obey, or could not show, written as an escape."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def utf8(text: str) -> str:
    """`text` with whatever UTF-8 cannot say (lone surrogates) written as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


class FaultNote(Struct, frozen=True, kw_only=True):
    """A fault on its way to whoever asked, or into the journal."""

    kind: str
    text: str
    detail: str = ""

    @classmethod
    def of(cls, fault: Fault) -> "FaultNote":
        """What crosses the wire of `fault`: short text that UTF-8 can say, whatever a plug-in raised."""
        ours = next(kind for kind in type(fault).__mro__ if _KINDS.get(kind.__name__) is kind)
        name = "" if type(fault) is ours else f"{type(fault).__name__}: "
        detail = utf8(str(fault.detail))
        return cls(kind=ours.__name__, text=name + one_line(fault), detail=detail[-_LONGEST_DETAIL:])

    def fault(self) -> Fault:
        """The fault again; a kind that is not in this tree becomes a plain `Fault`."""
        fault = _KINDS.get(self.kind, Fault)(self.text)
        fault.detail = self.detail
        return fault
