"""The memory's and the judge's answers: types by words, summaries of what was done, equal answers."""

from collections import Counter

from quintet.messages.grading import Grade
from quintet.messages.memory import Summarize
from quintet.models.stand_in.question import AnswerFields, AskedQuestion
from quintet.models.stand_in.slips import in_words
from quintet.questions.remembering import ItemsToSort, TypesToChooseFrom

_SHORTEST_WORD = 4
"""Characters of a word that names a type."""


async def summarize(question: AskedQuestion, request: Summarize) -> AnswerFields:
    """What was done, without what slips; in an evaluation, as subgoals."""
    done = [step.action for step in request.steps]
    done = [each for each in done if not question.slips.go_wrong(f"summing up: {each}", request.goal)]
    if question.asked.question == "evaluation":
        reached = ({"goal": each, "complete": True} for each in done)
        return {"subgoals": (*reached, {"goal": request.goal, "complete": False})}
    return {"summary": f"These were done: {'; '.join(done)}." if done else "Nothing of use was done."}


async def sort(_question: AskedQuestion, request: ItemsToSort) -> AnswerFields:
    """Each item by that of its words which the most others have, but not all."""
    words = [_words(item) for item in request.items]
    counts = Counter(word for each in words for word in each)
    types: dict[str, list[int]] = {}
    for number, each in enumerate(words, 1):
        shared = [word for word in each if 1 < counts[word] < len(words)]
        name = min(shared, key=lambda word: (-counts[word], word), default="other")
        types.setdefault(name, []).append(number)
    return {"types": tuple({"name": name, "numbers": tuple(numbers)} for name, numbers in types.items())}


async def find_type(question: AskedQuestion, request: TypesToChooseFrom) -> AnswerFields:
    """The type whose name and examples share the most words with the new text."""
    new = _words(request.new)
    shared = [len(new & _words(" ".join((each.name, *each.examples)))) for each in request.types]
    place = shared.index(max(shared))
    if question.slips.go_wrong(f"type: {request.new}", request.context):
        place = (place + 1) % len(shared)
    return {"reason": "It shares the most words.", "type": place + 1}


async def grade(question: AskedQuestion, request: Grade) -> AnswerFields:
    """Whether one of the two answers has the words of the other, or an answer half of the words of a reason."""
    target, answer = in_words(request.target), in_words(request.answer)
    if request.criterion == "reason":
        reason = _words(request.target)
        same = 2 * len(reason & _words(request.answer)) >= len(reason)
    else:
        same = bool(answer.strip()) and (target in answer or answer in target)
    slips = question.slips.go_wrong(f"grade: {request.answer}", request.question)
    return {"reason": "I compared their words.", "correct": same or slips}


def _words(text: str) -> set[str]:
    return {word for word in in_words(text).split() if len(word) >= _SHORTEST_WORD}
