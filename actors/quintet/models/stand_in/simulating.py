"""The user's answers: the parts of its scenario, one after the other; and calls of its tools, if it is told to."""

from quintet.messages.simulating import CALLS, LEAVES, AnswerAsUser
from quintet.models.stand_in.question import AnswerFields, AskedQuestion
from quintet.parsing.tool_calls import find_tool_calls


async def answer_as_user(_question: AskedQuestion, request: AnswerAsUser) -> AnswerFields:
    """A call that the agent's message has, then its result; else the next part of the scenario, until none is left."""
    last = request.conversation[-1]
    if last.speaker == "result":
        return {"answer": last.text}
    if told := find_tool_calls(last.text, request.tools):
        return {"answer": f"{CALLS} {told[0]}"}
    messages = (each.text for each in request.conversation if each.speaker == "agent")
    said = sum(not find_tool_calls(text, request.tools) for text in messages)
    return {"answer": request.scenario[said] if said < len(request.scenario) else LEAVES}
