"""Evaluates a task that ended: the product of its evaluators, and what is left to a judge."""

import html

from msgspec import Struct

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.evaluators.compare import ALTERNATIVES, includes, is_exact, url_matches
from quintet.environments.webarena.evaluators.functions import FUNCTION_PREFIX, EndedSession, call_function, read_call
from quintet.environments.webarena.tasks.schema import (
    NOT_ACHIEVABLE,
    ProgramCheck,
    ReferenceAnswers,
    RequiredContents,
    WebTask,
)
from quintet.ports.world import AnswerToGrade


class WebVerdict(Struct, frozen=True, kw_only=True):
    """What a task's end is worth, as far as it can be told without a judge."""

    holds: bool
    """Whether everything holds that needs no judge."""
    to_grade: tuple[AnswerToGrade, ...] = ()
    """What a judge must find right besides; nothing if the rest does not hold."""

    def reward(self, verdicts: tuple[bool | None, ...] = ()) -> float:
        """1 if everything holds, also what the judge graded; else 0.

        Args:
            verdicts: one for each of `to_grade`; None: the judge gave none. Empty: there was no judge.
        """
        return float(self.holds and len(verdicts) == len(self.to_grade) and all(verdicts))


async def evaluate_task(task: WebTask, answer: str, judged: EndedSession) -> WebVerdict:
    """Evaluate a task with each evaluator that it names.

    Args:
        answer: that of `stop [answer]`; empty if the task ended otherwise.

    Source: WebArena's released evaluators, whose product is the score. Differs: after one that does not hold no other
    runs, and no judge is asked.
    """
    checks = task.eval
    to_grade: tuple[AnswerToGrade, ...] = ()
    if "string_match" in checks.eval_types and checks.reference_answers is not None:
        if not answer_holds(checks.reference_answers, answer):
            return WebVerdict(holds=False)
        to_grade = answers_to_grade(task, answer)
    if "url_match" in checks.eval_types:
        reference = judged.addresses.expand(checks.reference_url or "")
        if not url_matches(reference, judged.page.last_url):
            return WebVerdict(holds=False)
    if "program_html" in checks.eval_types:
        for check in checks.program_html:
            if not await check_holds(check, judged):
                return WebVerdict(holds=False)
    return WebVerdict(holds=True, to_grade=to_grade)


def answer_holds(references: ReferenceAnswers, answer: str) -> bool:
    """Whether an answer is what the references ask for that need no judge."""
    exact, parts = references.exact_match, references.must_include
    if exact is not None and not is_exact(exact, answer):
        return False
    return parts is None or all(includes(part, answer, as_token=len(parts) == 1) for part in parts)


def answers_to_grade(task: WebTask, answer: str) -> tuple[AnswerToGrade, ...]:
    """What a judge is to grade of an answer.

    A task that cannot be done needs none for `N/A`; for another answer the judge compares the reasons.

    Source: WebArena's released evaluators, which ask for each of several references whether the answer is equivalent to
    it. Differs: they are parts of one answer, `driving: 13min` and `walking: 1h 35min`, so they are graded at once.
    """
    references = task.eval.reference_answers
    match references.fuzzy_match if references else None:
        case None:
            return ()
        case str():
            if is_exact(NOT_ACHIEVABLE, answer):
                return ()
            note = task.eval.string_note
            return (AnswerToGrade(question=task.intent, target=note, answer=answer, criterion="reason"),)
        case targets:
            return (AnswerToGrade(question=task.intent, target="; ".join(targets), answer=answer),)


LAST_PAGE = "last"


async def check_holds(check: ProgramCheck, judged: EndedSession) -> bool:
    """Whether the place that a check names has the contents that it requires.

    Source: WebArena's released HTML evaluator. Differs: `last` is always the page where the task ended, there the one
    that the check before went to; no released task has it after such a check. A missing value is an empty text, not
    `None`. The wait after going there is the page's.
    """
    url = await _url_of(check.url, judged)
    text = "" if url == "" else await _text_at(check, url, judged)
    return _has(check.required_contents, html.unescape(text), judged.addresses)


async def _url_of(url: str, judged: EndedSession) -> str | None:
    if url == LAST_PAGE:
        return None
    if not url.startswith(FUNCTION_PREFIX):
        return judged.addresses.expand(url)
    return await call_function(read_call(url.removeprefix(FUNCTION_PREFIX), "url"), judged)


async def _text_at(check: ProgramCheck, url: str | None, judged: EndedSession) -> str:
    if not check.locator.strip():
        return await judged.page.html(url)
    if not check.locator.startswith(FUNCTION_PREFIX):
        return await judged.page.evaluate(url, judged.addresses.expand(check.locator), check.prep_actions)
    return await call_function(read_call(check.locator.removeprefix(FUNCTION_PREFIX), "locator"), judged, url)


def _has(required: RequiredContents, text: str, addresses: SiteAddresses) -> bool:
    if required.exact_match is not None:
        return is_exact(addresses.expand(required.exact_match), text)
    return all(
        any(includes(addresses.expand(each), text) for each in content.split(ALTERNATIVES))
        for content in required.must_include or ()
    )
