"""Calls through the bridge that brought no completion: each is a fault of ours, or an outcome."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quintet.errors import EndpointFailed, EndpointUnavailable, Fault, ModelFault, NoAnswer, Overloaded, Unreachable
from quintet.models.endpoint.answer import UnreadableBody
from quintet.models.endpoint.failures import retry_after, says_prompt_is_too_long
from quintet.models.endpoint.key import Key
from quintet.ports.model import Completion

if TYPE_CHECKING:
    from any_llm.exceptions import AnyLLMError

_OVERLOADED: Final = (429, 503, 529)
_LONGEST_TEXT: Final = 200
_NEVER_SENT: Final = ("ConnectError", "ConnectTimeout", "ClientConnectorError", "ConnectionTimeoutError", "ProxyError")
"""Exceptions of HTTP clients, by name: providers bring clients of their own."""


@dataclass(frozen=True)
class BridgeFaults:
    """Turns the bridge's exceptions into faults that do not hold a key."""

    model: str
    keys: tuple[Key, ...]

    def outcome(self, error: "AnyLLMError") -> Fault | Completion:
        """The fault for an exception, or the empty completion of a prompt that this model never answers.

        It quotes the provider, except where the provider refuses the key, which some of them quote.
        """
        from any_llm import exceptions as known

        text, status = str(error), error.status_code
        match error:
            case known.ContextLengthExceededError():
                return Completion(text="", finish="context_full")
            case known.ContentFilterError():
                return Completion(text="", finish="content_filter")
            case known.InvalidRequestError() if says_prompt_is_too_long(text):
                return Completion(text="", finish="context_full")
            case known.AuthenticationError() | known.MissingApiKeyError():
                shown = " or ".join(map(str, self.keys)) or "no key"
                return EndpointUnavailable(self._text(f"to be let in with {shown}", str(status or "no key")))
            case known.ModelNotFoundError() | known.InsufficientFundsError() | known.UnsupportedParameterError():
                return EndpointUnavailable(self._text("a model that can be called so", text))
            case _ if isinstance(error, known.RateLimitError) or status in _OVERLOADED:
                fault = Overloaded(self._text("a completion", text))
                response = getattr(error.original_exception, "response", None)
                fault.retry_after = retry_after(getattr(response, "headers", {}))
                return fault
            case _ if status is not None and (status >= 500 or status == 408):
                return EndpointFailed(self._text("a completion", text))
            case known.InvalidRequestError():
                return ModelFault(self._text("a completion", text))
            case _ if status is not None and status >= 400:
                return ModelFault(self._text("a completion", text))
            case _:
                causes = {type(cause).__name__ for cause in _causes(error.original_exception)}
                never_sent = causes.intersection(_NEVER_SENT)
                return (Unreachable if never_sent else NoAnswer)(
                    self._text("a connection" if never_sent else "a completion", text)
                )

    def unreadable(self, error: Exception) -> Fault:
        """An answer that is not a completion, or what the provider's package raised of its own."""
        got = str(error) if isinstance(error, UnreadableBody) else f"{type(error).__name__}: {error}"
        return NoAnswer(self._text("a completion", got))

    def _text(self, expected: str, got: str) -> str:
        got = " ".join(got.split())
        for key in self.keys:  # before cutting: half a key would not be recognised
            got = key.redacted(got)
        return f"{self.model}: expected {expected}, got {got[:_LONGEST_TEXT]}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
