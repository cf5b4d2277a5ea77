"""The user's answers: the parts of its scenario, one after the other."""

from quintet.messages.simulating import LEAVES, AnswerAsUser
from quintet.models.stand_in.question import AnswerFields, AskedQuestion


async def answer_as_user(_question: AskedQuestion, request: AnswerAsUser) -> AnswerFields:
    """The part of the scenario that comes after as many as were said; after the last one the user leaves."""
    said = sum(each.speaker == "user" for each in request.conversation)
    return {"answer": request.scenario[said] if said < len(request.scenario) else LEAVES}
