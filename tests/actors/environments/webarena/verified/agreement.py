"""Our evaluators beside the package's on made-up ends of all 812 tasks; `python -m` this module prints the table."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from quintet.environments.webarena.evaluators.compare import ALTERNATIVES
from quintet.environments.webarena.evaluators.evaluate import check_holds, evaluate_task
from quintet.environments.webarena.evaluators.functions import EndedSession, SiteFacts
from quintet.environments.webarena.tasks.read import read_tasks
from quintet.environments.webarena.tasks.schema import ProgramCheck, WebTask
from quintet.environments.webarena.verified.package import (
    VerifiedRecord,
    evaluate_verified,
    released_file,
    verified_records,
)
from tests.actors.environments.webarena.evaluators.pages import FixedPages, judged
from tests.actors.environments.webarena.verified.ends import ADDRESSES, End, as_text, ends, is_request, request
from tests.actors.environments.webarena.verified.recorded import any_sites, is_visit, recorded_end

BOTH_HOLD: Final = "both hold"
NEITHER: Final = "neither holds"
JUDGE: Final = "ours needs a judge"
CLASSES: Final = {
    BOTH_HOLD: "",
    NEITHER: "",
    JUDGE: "a fuzzy reference, or a reason in place of `N/A`",
    "the same answer in another form": "a list of typed items or of objects; `true` for `Yes`, numbers and units",
    "another answer": "the reference was corrected, or the task asks for something else: e-mails in place of names",
    "another outcome": "done in one, impossible in the other",
    "another page": "the reference address is another, or has other parts in its query",
    "the same page, compared otherwise": "containment of host and path, beside the whole address and query",
    "a try is looked for": "impossible tasks where the package looks for the page on which one finds out",
    "the first page is enough": "the package asks for the map's front page; the released check for its form's fields",
    "checks that exclude each other": "several requests to one address, of which each check sees only the last",
    "the package holds at nothing": "it errs at its own reference, or drops a field that it then misses",
    "no such trace was made": "by the simple rules of `ends.py`, which read few patterns",
}
"""What a pair of verdicts is an instance of, and what that is."""


RECORDED: Final = "as verified asks, in Chromium"
"""The tasks to reach a page, whose pages a browser loads."""


def agreement() -> dict[str, Counter[str]]:
    """How many tasks are of each class, by end."""
    found: dict[str, Counter[str]] = {}
    records = verified_records()
    for task in read_tasks(released_file()):
        record, unmade = records[task.task_id], ""
        for name, end in ends(task, record):
            if name == "as verified asks":
                unmade = why_unmade(record, end)
            found.setdefault(name, Counter())[asyncio.run(_class_of(task, record, end, unmade))] += 1
    with TemporaryDirectory() as folder:
        found[RECORDED] = asyncio.run(_recorded_agreement(Path(folder)))
    return found


async def _recorded_agreement(folder: Path) -> Counter[str]:
    found, records = Counter[str](), verified_records()
    async with any_sites(folder) as world:
        for task in read_tasks(released_file()):
            record = records[task.task_id]
            if is_visit(record):
                unmade = why_unmade(record, next(ends(task, record))[1])
                found[await _class_of(task, record, await recorded_end(world, task, record), unmade)] += 1
    return found


async def _class_of(task: WebTask, record: VerifiedRecord, end: End, unmade: str) -> str:
    """The class of a task at an end; `unmade` if the package holds at none, empty: it does at one."""
    ours, theirs = await _released_fails(task, end), _verified_fails(record, end)
    if ours == ("judge",):
        return JUDGE
    if bool(ours) == bool(theirs):
        return NEITHER if ours else BOTH_HOLD
    if unmade and end.done:
        return unmade
    if (record.answer.status == "SUCCESS") == _is_impossible(task):
        return "another outcome"
    if "answer" in (*ours, *theirs):
        same = _says(record) <= _words(_references(task)) or _words(_references(task)) <= _says(record)
        return "the same answer in another form" if same else "another answer"
    if theirs and not end.done:
        return "a try is looked for"
    if ours == ("contents",):
        return "the first page is enough"
    same = _place(task.eval.reference_url or "") in {_place(url) for url in _asked_urls(record)}
    return "the same page, compared otherwise" if same else "another page"


def why_unmade(record: VerifiedRecord, end: End) -> str:
    """Why the package does not hold where all that it asks for was sent; empty: it does."""
    found = evaluate_verified(record.task_id, end.answer, end.trace, ADDRESSES)
    if all(each.holds for each in found):
        return ""
    if any(each.status == "error" for each in found) or not found[0].holds:
        return "the package holds at nothing"
    for number, check in enumerate(record.eval):
        if is_request(check):
            alone = [end.trace[0], request(check)]
            if not evaluate_verified(record.task_id, end.answer, alone, ADDRESSES)[number].holds:
                return "no such trace was made"
    return "checks that exclude each other"


async def _released_fails(task: WebTask, end: End) -> tuple[str, ...]:
    """Which parts of the released evaluation do not hold; each alone, since ours stops at the first."""
    fails: list[str] = []
    kinds = {"string_match": "answer", "url_match": "address"}
    for kind in task.eval.eval_types:
        if kind == "program_html":
            continue
        part = replace(task, eval=replace(task.eval, eval_types=(kind,)))
        verdict = await evaluate_task(part, end.text, judged(FixedPages(end.last_url), addresses=ADDRESSES))
        if not verdict.holds:
            fails.append(kinds[kind])
        elif verdict.to_grade:
            fails.append("judge")
    held = [await check_holds(check, _pages(check, end)) for check in task.eval.program_html]
    return (*fails, *(() if all(held) else ("contents",)))


def _verified_fails(record: VerifiedRecord, end: End) -> tuple[str, ...]:
    found = evaluate_verified(record.task_id, end.answer, end.trace, ADDRESSES)
    kinds = {"AgentResponseEvaluator": "answer", "NetworkEventEvaluator": "request"}
    return tuple(sorted({kinds[each.evaluator] for each in found if not each.holds}))


class _ToldFacts(SiteFacts):
    """A shop's facts, which are all one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def latest_order_url(self) -> str:
        return ADDRESSES.bases["shopping"] if self._text else ""

    async def latest_review_author(self, sku: str) -> str:
        return self._text

    async def latest_review_rating(self, sku: str) -> str:
        return self._text


def _pages(check: ProgramCheck, end: End) -> EndedSession:
    """What a check finds: all that it looks for, or nothing."""
    required = check.required_contents
    wanted = required.exact_match or " ".join(each.split(ALTERNATIVES)[0] for each in required.must_include or ())
    text = ADDRESSES.expand(wanted) if end.done else ""
    pages = judged(FixedPages(end.last_url, otherwise=text), addresses=ADDRESSES)
    return EndedSession(pages.page, _ToldFacts(text), ADDRESSES)


def _is_impossible(task: WebTask) -> bool:
    return task.kind == "impossible"


def _references(task: WebTask) -> str:
    asked = task.eval.reference_answers
    parts = () if asked is None else (asked.exact_match or "", *(asked.must_include or ()))
    return " ".join(parts)


def _says(record: VerifiedRecord) -> set[str]:
    items = record.answer.retrieved_data or ()
    return _words(as_text([item[0] if isinstance(item, list) else item for item in items]))


def _words(text: str) -> set[str]:
    """Words and numbers, written in one way."""
    text = re.sub(r"(\d)(km|m|min|h)\b", r"\1 \2", text.lower())
    words: list[str] = re.findall(r"\d+(?:\.\d+)?|[^\W\d]+", text)
    said = {"true": "yes", "false": "no"}
    return {f"{float(word):g}" if word[0].isdigit() else said.get(word, word) for word in words}


def _asked_urls(record: VerifiedRecord) -> Iterator[str]:
    for check in record.eval:
        url = check.expected.get("url", ())
        yield from url if isinstance(url, list) else [url] if url else []


def _place(url: str) -> str:
    return re.sub(r"\.\*|[\^$]", "", url).partition("?")[0].rstrip("/")


def report() -> str:
    """How many ends are judged alike, and counts by class and end, as Markdown."""
    found = agreement()
    lines = [f"| | {' | '.join(found)} | |", f"| --- {'| ---: ' * len(found)}| --- |"]
    for kind, meaning in CLASSES.items():
        counts = " | ".join(str(counter[kind]) for counter in found.values())
        lines.append(f"| {kind} | {counts} | {meaning} |")
    alike = sum(counter[BOTH_HOLD] + counter[NEITHER] for counter in found.values())
    decided = sum(counter.total() - counter[JUDGE] for counter in found.values())
    return f"Judged alike: {alike:,} of {decided:,} ends that need no judge.\n\n" + "\n".join(lines)


if __name__ == "__main__":
    print(report())
