"""Anthropic's batches, through the bridge's package: which calls are sent, found again and answered."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from quintet.errors import NoAnswer
from quintet.models.endpoint.batches import as_stored
from quintet.ports.batches import BatchLost, BatchUnknown

if TYPE_CHECKING:
    from any_llm import AnyLLM
    from any_llm.types.batch import Batch, BatchResult

_ROUTE: Final = "/v1/chat/completions"
_PAGE: Final = 100
_NOT_FOUND: Final = 404
_ARCHIVED: Final = "No `results_url`"
"""What Anthropic's package says of an ended batch whose answers are kept no more, which is after 29 days."""
_REFUSED: Final = ("invalid_request_error", "invalid_request", "request_too_large")
"""Errors of a call; any other, such as `expired`, says nothing of it."""


def batch_body(model: str, messages: list[dict[str, Any]], parameters: Mapping[str, Any]) -> bytes:
    """A call's body: the package takes the instructions apart from the messages, and these parameters alone."""
    instructions = [message["content"] for message in messages if message["role"] == "system"]
    sent = {name: parameters[name] for name in ("max_tokens", "temperature", "top_p") if name in parameters}
    body = {
        "model": model,
        "messages": [message for message in messages if message["role"] != "system"],
        **sent,
        **({"system": instructions[0]} if len(instructions) == 1 else {}),
        **({"system": "\n".join(instructions)} if len(instructions) > 1 else {}),
    }
    return json.dumps(body).encode()


async def submit_batch(client: "AnyLLM", name: str, bodies: Mapping[str, bytes]) -> str:
    """Begin a batch, which is known by its calls, as it gets no name; the package reads it from a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        lines = ({"custom_id": _prefix(name) + call, "body": json.loads(body)} for call, body in bodies.items())
        file.writelines(f"{json.dumps(line)}\n" for line in lines)
        file.flush()
        return (await client.acreate_batch(input_file_path=file.name, endpoint=_ROUTE)).id


async def find_batch(client: "AnyLLM", name: str, size: int, since: float) -> str | None:
    """The batch of so many calls under a name, among those made since a time.

    A batch says which calls it had only when it has ended.

    Raises:
        NoAnswer: one that may be it has not ended.
    """
    after: str | None = None
    while page := await client.alist_batches(after=after, limit=_PAGE):  # the newest first
        for batch in page:
            if batch.created_at < since:
                return None
            counts = batch.request_counts
            if counts is None or counts.total != size:
                continue
            if batch.status != "completed":
                raise NoAnswer(f"expected batch {batch.id} to end, to see whose it is, got one that goes on")
            with suppress(BatchLost):  # if it was this one, it is lost
                results = await _results(client, batch.id)
                if any(item.custom_id.startswith(_prefix(name)) for item in results.results):
                    return batch.id
        if len(page) < _PAGE:
            return None
        after = page[-1].id
    return None


async def collect_batch(client: "AnyLLM", batch: str) -> Mapping[str, bytes] | None:
    """The answers of a batch; None while it goes on.

    Raises:
        BatchLost: there are none any more; a `BatchUnknown`, if there is no such batch.
    """
    from any_llm.exceptions import AnyLLMError

    try:
        found: Batch = await client.aretrieve_batch(batch)
    except AnyLLMError as error:
        if error.status_code == _NOT_FOUND:
            raise BatchUnknown(f"expected answers of batch {batch}, got that there is none") from None
        raise
    return None if found.status != "completed" else dict(_answers(await _results(client, batch)))


async def _results(client: "AnyLLM", batch: str) -> "BatchResult":
    """What came of a batch that ended; a `BatchLost` if that is kept no more."""
    from any_llm.exceptions import AnyLLMError

    try:
        return await client.aretrieve_batch_results(batch)
    except AnyLLMError as error:
        if error.status_code == _NOT_FOUND or _ARCHIVED in str(error):
            raise BatchLost(f"expected answers of batch {batch}, got that they are kept no more") from None
        raise


def _prefix(name: str) -> str:
    """What the names of a batch's calls begin with there: another run of the same settings has the same calls."""
    return f"{name[:16]}-"


def _answers(found: "BatchResult") -> Iterator[tuple[str, bytes]]:
    for item in found.results:
        call = item.custom_id.rpartition("-")[2]
        if item.result is not None:
            yield call, as_stored(200, item.result.model_dump(mode="json"))
        elif item.error is not None and item.error.code in _REFUSED:
            yield call, as_stored(400, {"error": {"message": item.error.message}})
