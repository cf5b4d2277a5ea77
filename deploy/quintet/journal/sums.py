"""Sums over the whole of a journal: what its calls used, cost and brought, for reports and budgets."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from quintet.journal.cells import Count, is_live
from quintet.journal.charges import UNCHARGED, SpentRow, spent_query
from quintet.journal.codes import EPISODE_BITS
from quintet.journal.connection import JournalConnection
from quintet.journal.episode_rows import COST_TOTAL, EPISODE_TOTALS, NO_EPISODES_YET, EpisodeTotals
from quintet.journal.note_recalls import NOTE_RECALLS, NoteRecalls
from quintet.journal.timeline import EXTENT, BusyRow, ExtentRow, Spans, Timeline
from quintet.messages.grading import Grade
from quintet.messages.message import Unanswered, request_name
from quintet.quota.cost import NOTHING, Cost, total
from quintet.quota.prices import Price

_AMOUNTS = f"""
SELECT id >> {EPISODE_BITS}, sum(json_array_length(CASE WHEN json_valid(ids) THEN ids END)) AS amount
FROM recalls GROUP BY 1 HAVING amount > 0
"""
_WITHOUT_VERDICT = """
SELECT count(*) FROM _exchanges JOIN _texts AS asked ON asked.id = request JOIN _texts AS answer ON answer.id = reply
WHERE asked.text = ?1 AND substr(answer.text, 1, length(?2)) = ?2
"""
_NO_VERDICT = (request_name(Grade), msgspec.json.encode(Unanswered(reason="")).decode().partition(",")[0])
"""The request, and how such an answer begins."""
_FINGERPRINTS = """
SELECT DISTINCT _models.name, _settings.fingerprint
FROM _settings JOIN _models ON _models.id = _settings.model ORDER BY 1, 2
"""
_COPIED = f"SELECT count(*) FROM _calls AS call WHERE NOT {is_live('call.start')}"


class FingerprintRow(NamedTuple):
    """A model that answered, and its endpoint's fingerprint, if any."""

    model: str
    fingerprint: str


class _CountRow(NamedTuple):
    number: Count


class JournalSums(JournalConnection):
    """Sums over a journal; none of them is asked of one episode."""

    def totals(self, since: int) -> tuple[EpisodeTotals, Cost]:
        """How far the run has come, and what it spent; ends from `since` on (Unix milliseconds) are counted apart."""
        episodes = next(self._convert(EpisodeTotals, EPISODE_TOTALS, (since,)), NO_EPISODES_YET)
        return episodes, next(self._convert(Cost, COST_TOTAL), NOTHING)

    def charged(self, prices: Mapping[str, Price]) -> Cost | None:
        """What all attempts at calls are charged; None for a run without charges."""
        found = next(self._convert(SpentRow, *spent_query("0", "_charges", prices)), None)
        if found is None:
            return None
        if found.damaged:
            self._record_damage(f"expected the tokens of every charge, got {found.damaged} without")
        return replace(found.cost, nanodollars=None) if found.unpriced else found.cost

    def spent(self, prices: Mapping[str, Price]) -> Cost:
        """What a budget counts as spent by all starts: the charges, and calls that were answered without one."""
        queries = (spent_query("0", used, prices) for used in ("_charges", f"({UNCHARGED})"))
        return total(row.cost for query in queries for row in self._convert(SpentRow, *query))

    def fingerprints(self) -> list[FingerprintRow]:
        """The models that answered, with the fingerprints of their endpoints."""
        return list(self._convert(FingerprintRow, _FINGERPRINTS))

    def has_tokens(self) -> bool:
        """Whether the tokens of any call are stored."""
        return any(True for _ in self._rows("SELECT 1 FROM _tokens LIMIT 1"))

    def has_tool_answers(self) -> bool:
        """Whether the tools that any call was offered are stored."""
        return any(True for _ in self._rows("SELECT 1 FROM _tool_answers LIMIT 1"))

    def copied_calls(self) -> int:
        """How many calls its episodes took from recorded ones that they go on from."""
        return next(self._convert(_CountRow, _COPIED), _CountRow(0)).number

    def extent(self) -> ExtentRow | None:
        """From when to when calls were in flight; None: none was answered."""
        return next(self._convert(ExtentRow, EXTENT), None)

    def timeline(self, spans: Spans, prices: Mapping[str, Price]) -> Timeline:
        """All answered calls over time, in spans that hold them."""
        busy, spent = self._convert(BusyRow, spans.busy), self._convert(SpentRow, *spans.spent(prices))
        return spans.timeline(busy, spent)

    def note_recalls(self) -> Iterator[NoteRecalls]:
        """How often the episodes recalled notes from each section."""
        return self._convert(NoteRecalls, NOTE_RECALLS)

    def recalled_amounts(self) -> dict[int, int]:
        """How many tuples or notes were recalled, by the number of the episode; one recalled twice counts twice."""
        return dict(self._convert(tuple[int, int], _AMOUNTS))

    def without_verdict(self) -> int:
        """How many answers to grade the judge gave no verdict on, in all attempts."""
        return sum(number for (number,) in self._convert(tuple[int], _WITHOUT_VERDICT, _NO_VERDICT))
