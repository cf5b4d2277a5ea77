"""The answers about notes: which of them name what is right, and what else is worth one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quintet.messages.curation import ReviewAttempt, ReviseNotes
from quintet.models.stand_in.question import AnswerFields, AskedQuestion
from quintet.models.stand_in.reflecting import missed_actions
from quintet.models.stand_in.slips import says, thing_of
from quintet.roles.turn_text import actions_of


async def review_attempt(question: AskedQuestion, request: ReviewAttempt) -> AnswerFields:
    """What was missed, or else what was done; a note helped if it names what is right, else harmed if what was done."""
    attempt = request.experience
    done = actions_of(attempt.turns)
    right = (await question.way_from_start()).actions or ()
    missed = () if request.succeeded else await missed_actions(question, attempt.turns, attempt.opening)
    tags = (
        {"note": number, "tag": "helpful" if _names(each.text, right) else "harmful"}
        for number, each in enumerate(request.notes, 1)
        if _names(each.text, (*right, *done)) and not question.slips.go_wrong(f"tag: {each.text}", attempt.opening)
    )
    return {
        "mistake": f"These were missed: {'; '.join(missed)}." if missed else "I see no mistake.",
        "insight": f"Do this where it is due: {'; '.join(missed or done) or 'what the task asks for'}.",
        "notes": tuple(tags),
    }


async def revise_notes(question: AskedQuestion, request: ReviseNotes) -> AnswerFields:
    """Votes by the actions that made the difference, and a note of them, unless one says it already."""
    learnt, wrong = _difference(request)
    text = f"Do this where it is due: {'; '.join(learnt)}." if learnt else ""
    text = request.review.insight if request.review else text
    notes = [*enumerate(request.notes, 1)]
    agreed = [number for number, each in notes if _names(each.text, learnt)]
    refuted = [number for number, each in notes if number not in agreed and _names(each.text, wrong)]
    is_new = text and not any(says(each.text, text) for each in request.notes)
    rows = [
        *(_row("AGREE", note=number) for number in agreed),
        *(_row("DISAGREE", note=number) for number in refuted),
        *([_row("ADD", section=request.sections[0], text=text)] if is_new else []),
    ]
    allowed = (row for row in rows if row["operation"] in request.operations)
    kept = [row for row in allowed if not question.slips.go_wrong(f"operation: {row}", text)]
    return {"operations": tuple(kept[: request.most])}


def _difference(request: ReviseNotes) -> tuple[Sequence[str], Sequence[str]]:
    """The actions that only the attempt which succeeded has, and those that only the other has; what successes share.

    Actions are the same here if they differ by numbers alone.
    """
    done = [{thing_of(action): action for action in actions_of(each.turns)} for each in request.attempts]
    if request.source == "pair":
        failed, succeeded = done
        return [*_without(succeeded, failed)], [*_without(failed, succeeded)]
    if not done:
        return (), ()
    return [action for thing, action in done[0].items() if all(thing in other for other in done[1:])], ()


def _without(these: Mapping[str, str], those: Mapping[str, str]) -> Iterator[str]:
    return (action for thing, action in these.items() if thing not in those)


def _names(text: str, actions: Iterable[str]) -> bool:
    said = thing_of(text)
    return any(says(said, thing_of(action)) for action in actions)


def _row(operation: str, *, note: int = 0, section: str = "", text: str = "") -> Mapping[str, Any]:
    return {"operation": operation, "note": note, "section": section, "text": text}
