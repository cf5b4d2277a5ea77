"""Messages of calls that wait for a batch."""

from quintet.messages.message import Message, Request
from quintet.messages.quota import Permit


class BatchAnswered(Message, frozen=True, kw_only=True, tag="batch_answered"):
    """The provider answered the call, or refused it."""

    answer: bytes
    """For the model that made the body."""


class AnswerInBatch(Request[BatchAnswered], frozen=True, kw_only=True, tag="answer_in_batch"):
    """Ask for an answer by the next batch; it may take a day. Asked for once more, the call is not sent again."""

    model: str
    call: str
    """A name for the call, the same after a restart: 32 hexadecimal digits."""
    permit: Permit
    """Of the attempt; while it is held, the answer is waited for."""
    body: bytes
    """What the call posts, as JSON."""
