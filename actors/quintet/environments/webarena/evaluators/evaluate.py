"""Evaluates a task that ended: the product of its evaluators, and what is left to a judge."""

from msgspec import Struct

from quintet.environments.webarena.evaluators.judged import EndedSession
from quintet.environments.webarena.evaluators.programs import check_holds
from quintet.environments.webarena.evaluators.strings import includes, is_exact
from quintet.environments.webarena.evaluators.urls import url_matches
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, ReferenceAnswers, WebTask
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
