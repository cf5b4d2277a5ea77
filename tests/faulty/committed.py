"""The requests whose completions a run's journal has, as an endpoint counts them."""

from collections.abc import Iterable
from pathlib import Path

from quintet.events import AnyEvent, CallMade
from quintet.journal.reader import JournalReader
from quintet.messages.paths import order_of
from quintet.runs.run_folder import RunFolder
from quintet.serving.request import CompletionRequest


def calls_of(folder: Path) -> list[tuple[str, CallMade]]:
    """The calls in the journal, each with the digest of its request."""
    reader = JournalReader.open(RunFolder.open_to_read(folder).journal)
    calls = _calls(reader, (record.event for record in reader.records()))
    reader.close()
    return calls


def _calls(reader: JournalReader, events: Iterable[AnyEvent]) -> list[tuple[str, CallMade]]:
    made = [event for event in events if isinstance(event, CallMade)]
    return [(CompletionRequest(call.model, reader.prompt(call.path), call.sampling).digest, call) for call in made]


def committed(folder: Path) -> list[str]:
    """The digests of the requests whose completions are in the journal, of which one may have brought several."""
    return _requests(calls_of(folder))


def requests_of(reader: JournalReader, events: Iterable[AnyEvent]) -> list[str]:
    """As `committed`, of events that were read."""
    return _requests(_calls(reader, events))


def _requests(calls: Iterable[tuple[str, CallMade]]) -> list[str]:
    return [digest for digest, call in calls if not is_further(call)]


def is_further(call: CallMade) -> bool:
    """Whether another completion of the same request comes before it: a request for several has no seed."""
    return call.sampling.seed is None and order_of(call.path)[1][-1] > 1
