"""Every question that a request asks: its prompt, its answer, and what becomes of none.

The memory's questions are asked within its own work: see `tests/actors/roles/memory`.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.curation import (
    AttemptReviewed,
    ListedNote,
    NoteRevision,
    NotesRevised,
    ReviewAttempt,
    ReviseNotes,
)
from quintet.messages.execution import Decide, Retarget, Retargeted, Turn
from quintet.messages.grading import Grade, Graded
from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.notes import Note
from quintet.messages.noting import NotesOf, NotesWritten, WriteNotes
from quintet.messages.planning import (
    AllOf,
    Decompose,
    Decomposed,
    Lesson,
    MakePlan,
    PlanMade,
    PlanRevised,
    PlanStep,
    RevisePlan,
)
from quintet.messages.programs import Extract, Extracted, FailedProgram, ProgramWritten, WriteProgram
from quintet.messages.reflection import (
    Align,
    Aligned,
    AnswerGiven,
    AttemptJudged,
    Choose,
    Chosen,
    Compare,
    Compared,
    Condense,
    Condensed,
    GiveAnswer,
    Judge,
    JudgeAttempt,
    Judged,
    LookBack,
    LookedBack,
    Value,
    Valued,
)
from quintet.messages.simulating import AnswerAsUser, UserAnswered, UserCalled, Utterance
from quintet.ports.model import Completion, Finish, Sampling, SamplingOverride
from quintet.questions import QUESTIONS
from quintet.questions.acting import CANDIDATES, DECISION
from quintet.questions.question import Question
from quintet.questions.remembering import CLUSTERS, ItemsToSort
from quintet.questions.shape import SHAPES
from tests.actors.fakes import GOAL, PROMPTS, SAMPLING, SETTING, ask, contents

STEPS = (PlanStep(number=1, text="take salt"), PlanStep(number=2, text="serve"))
PRINTED = "Step 1: take salt\nStep 2: serve\n"
SALT = Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt.")
BURN = Turn(completion="Action: burn", observation="It is burnt.")
TURNS = ("assistant: Thought: salt.\nAction: take salt", "user: You take salt.", "assistant: Action: burn")
TASK = f"user: {SETTING}\n\nGoal: {GOAL}."
PLAN = "The plan for this task:\n1. take salt\n2. serve"
TAKEN = "The action is to take salt, and salt was taken."
LESSONS = (
    Lesson(opening="Job A.", succeeded=True, summary="It was served.", flaws="None.", revision="Keep it."),
    Lesson(opening="Job B.", succeeded=False, summary="It was burnt."),
)
COOKERY_BOOK = (
    ListedNote(id=70_000, text="Burn it.", section="habits", harmful=2),
    ListedNote(id=9, text="Salt it.", helpful=1),
)
NOTES_SHOWN = "habits:\n[1] helpful 0, harmful 2: Burn it.\n[2] helpful 1, harmful 0: Salt it."
LATE = Turn(completion="Action: wait", observation="It is late.")
NO_STEP = "the plan has no step"
PROGRAM = "def solution(agent, start_from=1):\n    if start_from <= 1:\n        agent.act('take salt')"
PROGRAM_FORM = (
    "def solution(agent, start_from=1):\n    if start_from <= 1:\n"
    '        seen = agent.act("the first action")\n'
    '        assert agent.accepted, "it was refused: " + seen'
)


AT_SALT = Experience(task="salt", opening=f"{SETTING} Goal: {GOAL}.", turns=(SALT,))
AT_LATE = Experience(task="late", opening="It is night.", turns=(LATE,), reason="out of steps")
TOOK = "Thought: salt.\nAction: take salt\nObservation: You take salt."
WAITED = "Action: wait\nObservation: It is late."
NOTES = (
    Note(title="Salt", description="Take it.", text="Take salt first.\nThen serve."),
    Note(title="Time", description="", text="Do not wait."),
)
NOTES_SAID = (
    "Title: Salt\nDescription: Take it.\nContent: Take salt first.\nThen serve.\n\nTitle: Time\nContent: Do not wait."
)
NOTES_JSON = (
    '{"notes": [{"title": "Salt", "description": "Take it.", "content": "Take salt first.\\nThen serve."}, '
    '{"title": "Time", "description": "", "content": "Do not wait."}]}'
)
NOTES_FORM = (
    "Title: what it is about, in a few words\nDescription: one sentence that sums it up\n"
    "Content: what to do, and when\n"
)


class Case(NamedTuple):
    """A request, and what is said about it."""

    request: Request[Any]
    prompt: tuple[str, ...]
    """After the instructions."""
    said: str
    json: str
    reply: Message
    shape: str
    wanted: str
    form: str
    """Shown to the model that is asked once more."""
    unclear: tuple[str, ...]
    """Answers that cannot be read."""
    doubt: str = "I found no {} in that"
    """How the model is then asked once more."""
    lacking: str = ""
    """Why there is no answer after two of them; empty: it was left out."""
    wanted_at_last: str = ""
    """What is then said to be left out; empty: as before."""
    before_form: str = "Please answer in this form:\n\n"
    instructions: str = ""
    """The name of their prompt; empty: that of the request."""


def notes_case(of: NotesOf, attempts: tuple[Experience, ...], shown: str, most: int) -> Case:
    """Notes of these attempts, of which so many are taken."""
    return Case(
        WriteNotes(attempts=attempts, of=of, most=most),
        (f"user: {shown}",),
        NOTES_SAID,
        NOTES_JSON,
        NotesWritten(notes=NOTES[:most]),
        "notes",
        "notes",
        NOTES_FORM,
        ("I would take salt.", "<think>Title: a\nContent: b</think>", "Title: Salt"),
        instructions=f"write_notes.{of}",
    )


def program_case(request: WriteProgram, prompt: tuple[str, ...]) -> Case:
    """A request that is answered by a program and nothing else."""
    return Case(
        request,
        prompt,
        PROGRAM,
        json.dumps({"program": PROGRAM}),
        ProgramWritten(program=PROGRAM),
        "program",
        "program",
        PROGRAM_FORM,
        ("",),
    )


CASES = {
    "make_plan": Case(
        MakePlan(setting=SETTING, goal=GOAL),
        (TASK,),
        "List\n1. take salt\n2. serve",
        '{"steps": ["take salt", "serve"]}',
        PlanMade(steps=STEPS),
        "steps",
        "plan",
        "List\n1. the first action, in words\n2. the next action, in words",
        ("I would take salt.", "List"),
        f"I cannot go by that: {NO_STEP}",
        NO_STEP,
    ),
    "write_program": Case(
        WriteProgram(setting=SETTING, goal=GOAL),
        (TASK,),
        f"Here it is:\n```python\n{PROGRAM}\n```\nIt takes salt.",
        json.dumps({"program": PROGRAM}),
        ProgramWritten(program=PROGRAM),
        "program",
        "program",
        PROGRAM_FORM,
        (
            "I would take salt.",
            "agent.act('take salt')",
            "<think>\ndef solution(agent, start_from=1):\n    pass</think>",
        ),
    ),
    "revise a program": program_case(
        WriteProgram(
            setting=SETTING,
            goal=GOAL,
            failed=FailedProgram(program=PROGRAM, step=2, reason="line 3: it burns", turns=(SALT, BURN)),
        ),
        (
            f"{TASK}\n\nThis program was carried out:\n{PROGRAM}\n\nWhat was done so far:\n\n{TOOK}\n\n"
            "Action: burn\nObservation: It is burnt.\n\nIt failed in step 2. line 3: it burns.\n\n"
            "Write the whole program again, and do better from step 2 on. It is called with start_from=2, goes on from "
            "how things stand now, and its variables keep their values.",
        ),
    ),
    "write a program anew": program_case(
        WriteProgram(
            setting=SETTING,
            goal=GOAL,
            failed=FailedProgram(program=PROGRAM, step=1, reason="It burns!", turns=(), anew=True),
        ),
        (
            f"{TASK}\n\nThis program was carried out:\n{PROGRAM}\n\nWhat was done so far:\n\nNothing was done yet.\n\n"
            "It failed in step 1. It burns!\n\nEverything begins anew now: nothing of this has happened. "
            "Write a program that does better, from step 1.",
        ),
    ),
    "write a program after some that were refused": program_case(
        WriteProgram(setting=SETTING, goal=GOAL, refused=("it has no `import`", "the model was cut off")),
        (
            f"{TASK}\n\nWhat was written then could not be carried out: it has no `import`.\n\n"
            "What was written then could not be carried out: the model was cut off.\n\n"
            "Write the whole program again, in the language alone, and short enough to come to its end.",
        ),
    ),
    "extract": Case(
        Extract(setting=SETTING, goal=GOAL, question="Which salt?", observation="There is salt 1.\n"),
        (f"{TASK}\n\nWhat was seen last:\nThere is salt 1.\n\nThe question: Which salt?",),
        "Found: salt 1",
        '{"found": "salt 1"}',
        Extracted(text="salt 1"),
        "extracted",
        "answer",
        "Found: the answer alone",
        ("", "Found:"),
    ),
    "decompose": Case(
        Decompose(setting=SETTING, goal=GOAL),
        (TASK,),
        f"{PRINTED}Execution Order: (Step 1 AND Step 2)",
        '{"thought": "Both.", "steps": ["take salt", "serve"], "order": "(Step 1 AND Step 2)"}',
        Decomposed(plan=AllOf(parts=STEPS)),
        "plan",
        "plan",
        "Thought: which steps are needed, and why\nStep 1: the first step\nStep 2: the second step\n"
        "Execution Order: (Step 1 AND Step 2), with OR in place of AND where any one of the steps is enough",
        ("", "<think>Salt? Pepper?</think>"),
        f"I cannot go by that: {NO_STEP}",
        NO_STEP,
    ),
    "revise_plan": Case(
        RevisePlan(plan="1. Burn.", lessons=LESSONS),
        (
            "user: Current plan:\n\n1. Burn.\n\nJob 1\n\nJob A.\n\nResult: The job succeeded.\n\nSummary: It was "
            "served.\n\nFlaws: None.\n\nSuggested revision: Keep it.\n\nJob 2\n\nJob B.\n\nResult: The job failed.\n\n"
            f"Summary: It was burnt.\n\n{PROMPTS['revise_plan.update']}",
        ),
        "Plan:\n1. Serve.",
        '{"plan": "1. Serve."}',
        PlanRevised(text="1. Serve."),
        "task_plan",
        "plan",
        "Plan:\nthe whole plan",
        ("", "Plan:\n\n", "<think>What should it be", "```\n```"),
    ),
    "value": Case(
        Value(setting=SETTING, goal=GOAL, turns=(SALT, BURN)),
        (TASK, *TURNS, "user: It is burnt.\n\nHow promising is this? Give your mark, from 1 to 10."),
        "Mark: 7",
        '{"reason": "salt", "mark": 7}',
        Valued(value=6 / 9),
        "value",
        "mark from 1 to 10",
        "why, in short\nMark: 5",
        ("It is good.", "Mark: 11", "<think>Mark: 7</think>Mark: 80%"),
    ),
    "choose": Case(
        Choose(setting=SETTING, goal=GOAL, options=((SALT, BURN), (), (SALT,))),
        (
            f"{TASK}\n\nOption 1:\n\nThought: salt.\nAction: take salt\nObservation: You take salt.\n\nAction: burn\n"
            "Observation: It is burnt.\n\nOption 2:\n\n(nothing)\n\nOption 3:\n\nThought: salt.\nAction: take salt\n"
            "Observation: You take salt.\n\nWhich option is best? Give your choice from 1 to 3.",
        ),
        "Choice: 3",
        '{"reason": "salt", "choice": 3}',
        Chosen(number=3, votes=(0, 0, 1)),
        "choice",
        "choice from 1 to 3",
        "why, in short\nChoice: 1",
        ("Choice: 4", "Choice: 0"),
    ),
    "align": Case(
        Align(
            setting=SETTING,
            goal=GOAL,
            steps=("take salt", "serve"),
            current=1,
            action="take salt",
            before="x",
            after="",
        ),
        (
            f"{TASK}\n\n{PLAN}\n\nBefore the action:\nx\n\nThe action: take salt\n\nAfter the action:\n(nothing)\n\n"
            "What is the action about, and does it serve the plan? The step to do now: 1. take salt\n\n"
            'Begin with "The action is to", and end with YES or NO.',
        ),
        f"{TAKEN}\nNO",
        f'{{"description": "{TAKEN}", "aligned": false}}',
        Aligned(description=TAKEN, aligned=False),
        "alignment",
        "YES or NO",
        "The action is to ... (then whether it serves the plan)\nYES",
        ("YES or NO",),
        before_form="Does the action serve the plan? Please answer in this form:\n\n",
    ),
    "judge": Case(
        Judge(setting=SETTING, goal=GOAL, steps=("take salt", "serve"), observation="You take salt."),
        (f"{TASK}\n\n{PLAN}\n\nWhat is seen now:\nYou take salt.\n\nIs the goal reached?\n\nEnd with YES or NO.",),
        "It was not served.\nNO",
        '{"reason": "It was not served. YES, really.", "completed": false}',
        Judged(completed=False),
        "verdict",
        "YES or NO",
        "why, in short (then whether it is completed)\nNO",
        ("Hm.", "YES or NO"),
    ),
    "judge a step": Case(
        Judge(
            setting=SETTING,
            goal=GOAL,
            steps=("take salt", "serve"),
            observation="You take salt.",
            current=1,
            history=("The action is to look.", "The action is to take salt."),
            notes=("hot",),
        ),
        (
            f"{TASK}\n\n{PLAN}\n\nWhat was done so far:\n"
            "- The action is to look.\n- The action is to take salt.\n\nNotes that were taken:\n- hot\n\n"
            "What is seen now:\nYou take salt.\n\n"
            "Is this step done, or not needed any more? Step 1: take salt\n\nEnd with YES or NO.",
        ),
        "YES",
        '{"reason": "It was served. NO doubt.", "completed": true}',
        Judged(completed=True),
        "verdict",
        "YES or NO",
        "why, in short (then whether it is completed)\nNO",
        ("Hm.",),
    ),
    "judge_attempt": Case(
        JudgeAttempt(experience=Experience(task="salt", opening=f"{SETTING} Goal: {GOAL}.", turns=(SALT,))),
        (
            f"user: {SETTING} Goal: {GOAL}.\n\nWhat was done:\n\n"
            "Thought: salt.\nAction: take salt\nObservation: You take salt.\n\nDid it succeed?\n\n"
            "End with YES or NO.",
        ),
        "It was not served.\nNO",
        '{"reason": "It was not served. YES, really.", "succeeded": false}',
        AttemptJudged(succeeded=False),
        "success",
        "YES or NO",
        "why, in short (then whether it succeeded)\nNO",
        ("Hm.", "YES or NO"),
    ),
    "review_attempt": Case(
        ReviewAttempt(
            experience=Experience(task="salt", opening=f"{SETTING} Goal: {GOAL}.", turns=(BURN,), reason="it burnt"),
            succeeded=False,
            notes=COOKERY_BOOK,
        ),
        (
            f"user: The notes that it was shown:\n{NOTES_SHOWN}\n\nThe attempt failed:\n\n{SETTING} Goal: {GOAL}.\n\n"
            "Action: burn\nObservation: It is burnt.\n\nIt ended so: it burnt.\n\nReview the attempt now.",
        ),
        "What went wrong: It was burnt.\nInsight: Never burn.\nNote 1: harmful\nNote 2: helpful",
        '{"mistake": "It was\\nburnt.", "insight": "Never burn.", "notes": [{"note": 1, "tag": "harmful"}, '
        '{"note": 2, "tag": "helpful"}]}',
        AttemptReviewed(mistake="It was burnt.", insight="Never burn.", helpful=(9,), harmful=(70_000,)),
        "attempt_review",
        "insight",
        "What went wrong: what went wrong and why, or what went well\nInsight: what helps with other tasks\n"
        "Note 1: helpful",
        ("It was burnt.", "What went wrong: It was burnt."),
    ),
    "revise_notes": Case(
        ReviseNotes(
            notes=COOKERY_BOOK,
            source="review",
            review=AttemptReviewed(mistake="It was burnt.", insight="Never burn."),
            operations=("ADD", "EDIT", "AGREE", "DISAGREE"),
            sections=("habits", "others"),
            most=3,
        ),
        (
            f"user: The notes that there are:\n{NOTES_SHOWN}\n\nWhat went wrong: It was burnt.\n\n"
            "Insight: Never burn.\n\nThe sections: habits, others.\n\n"
            "The operations: ADD, EDIT, AGREE, DISAGREE. Write at most 3.",
        ),
        "ADD [Habits]: Never burn.\nEDIT 2: Salt it twice.\nDISAGREE 1\nAGREE 1",
        '{"operations": [{"operation": "ADD", "note": 0, "section": "Habits", "text": "Never burn."}, '
        '{"operation": "EDIT", "note": 2, "section": "", "text": "Salt it\\ntwice."}, '
        '{"operation": "DISAGREE", "note": 1, "section": "", "text": ""}]}',
        NotesRevised(
            revisions=(
                NoteRevision(operation="ADD", text="Never burn.", section="habits"),
                NoteRevision(operation="EDIT", id=9, text="Salt it twice."),
                NoteRevision(operation="DISAGREE", id=70_000),
            )
        ),
        "note_revisions",
        "operation",
        "ADD [the section]: what the note says",
        ("Never burn.", "ADD"),
        instructions="revise_notes.review",
    ),
    "write_notes of a success": notes_case(
        "success", (AT_SALT,), f"{SETTING} Goal: {GOAL}.\n\nWhat was done:\n\n{TOOK}\n\nWrite at most 2 notes.", 2
    ),
    "write_notes of a failure": notes_case(
        "failure",
        (AT_LATE,),
        f"It is night.\n\nWhat was done:\n\n{WAITED}\n\nIt failed: out of steps.\n\nWrite at most 1 note.",
        1,
    ),
    "write_notes of a contrast": notes_case(
        "contrast",
        (AT_SALT, replace(AT_SALT, turns=())),
        f"{SETTING} Goal: {GOAL}.\n\nAttempt 1:\n\n{TOOK}\n\nAttempt 2:\n\nNothing was done yet.\n\n"
        "Write at most 5 notes.",
        5,
    ),
    "write_notes of workflows": notes_case(
        "workflows",
        (AT_SALT, AT_LATE),
        f"{SETTING} Goal: {GOAL}.\n\nAttempt 1:\n\n{TOOK}\n\nIt is night.\n\nAttempt 2:\n\n{WAITED}\n\n"
        "Write at most 2 notes.",
        2,
    ),
    "give_answer": Case(
        GiveAnswer(
            judged=Judge(
                setting=SETTING,
                goal=GOAL,
                steps=("take salt", "serve"),
                observation=SETTING,
                history=("The action is to look.",),
                notes=("hot",),
            ),
            observation=SETTING,
        ),
        (
            f"{TASK}\n\n{PLAN}\n\nWhat was done so far:\n- The action is to look.\n\nNotes that were taken:\n- hot\n\n"
            "What is seen now:\nWhat is shown at the top.\n\nIs the goal reached?",
            "assistant: YES",
            f"user: {PROMPTS['give_answer']}",
        ),
        "The cook said so.\n\n###Answer\nsalt,\nand tea",
        '{"answer": "salt,\\nand tea"}',
        AnswerGiven(answer="salt, and tea"),
        "answer",
        "answer",
        "###Answer: the answer alone",
        ("###Answer:",),
        instructions="judge",
    ),
    "look_back": Case(
        LookBack(setting=SETTING, goal=GOAL, turns=(SALT, BURN), reason="step limit"),
        (
            TASK,
            *TURNS,
            "user: It is burnt.\n\nThe attempt failed: step limit.\n\n"
            "Write your reflection now: what will you do differently next time?",
        ),
        "Reflection: I will serve.",
        '{"reflection": "I will serve."}',
        LookedBack(reflection="I will serve."),
        "look_back",
        "reflection",
        "Reflection: what you will do differently next time",
        ("Thought: salt.\nAction: take salt", "Reflection:"),
    ),
    "compare": Case(
        Compare(goal=GOAL, better=(LATE, Turn(completion="Action: serve", observation="")), worse=(LATE, BURN)),
        (
            f"user: Goal: {GOAL}.\n\nProcess 1 (the better one):\n\n1. Action: wait\nObservation: It is late.\n\n"
            "2. Action: serve\nObservation: (nothing)\n\nProcess 2:\n\n1. Action: wait\nObservation: It is late.\n\n"
            "2. Action: burn\nObservation: It is burnt.\n\nIn which step of process 1 do the two first differ?",
        ),
        "2: supper is served there, not burnt",
        '{"reason": "served", "step": 2}',
        Compared(step=2),
        "comparison",
        "step",
        "3: why, in short",
        ("I cannot say.", "3: beyond the end", "0: before the first"),
        wanted_at_last="step of process 1",
    ),
    "condense": Case(
        Condense(goal=GOAL, observation="You see salt, and a long wall.\n"),
        (f"user: Goal: {GOAL}.\n\nWhat is seen:\nYou see salt, and a long wall.\n\nDescribe this in short.",),
        "Short description: There is salt.",
        '{"short_description": "There is salt."}',
        Condensed(text="There is salt."),
        "condensed",
        "short description",
        "Short description: what is seen, in short",
        ("", "Short description:"),
    ),
    "retarget": Case(
        Retarget(action="take salt 1", seen="There is salt 1.", now="There is salt 4."),
        (
            "user: What was seen then:\nThere is salt 1.\n\nThe action that was chosen then: take salt 1\n\n"
            "What is seen now:\nThere is salt 4.\n\nWhich action does the same now?",
        ),
        "New action is: take salt 4",
        '{"new_action": "take salt 4"}',
        Retargeted(action="take salt 4"),
        "retargeted",
        "action",
        "New action is: one action",
        ("I do not know.", "", "New action is: task failed"),
    ),
    "grade": Case(
        Grade(question="Which town\nhas the mill?", target="Larkfield", answer="the town of Larkfield"),
        (
            "user: Question: Which town has the mill?\nCorrect answer: Larkfield\nGiven answer: the town of Larkfield"
            "\n\nIs the given answer correct?\n\nEnd with Correct: YES or Correct: NO.",
        ),
        "Both name one town.\nCorrect: YES",
        '{"reason": "The same.", "correct": true}',
        Graded(correct=True),
        "grade",
        "YES or NO",
        "how the two answers compare, in short\nCorrect: NO",
        ("Hm.", "YES or NO"),
    ),
    "grade a reason": Case(
        Grade(question="Buy a moon", target="No shop sells one", answer="N/A, none is sold", criterion="reason"),
        (
            "user: Task: Buy a moon\nWhy it cannot be done: No shop sells one\nGiven answer: N/A, none is sold\n\n"
            "Does the given answer say that it cannot be done, for this reason?\n\n"
            "End with Correct: YES or Correct: NO.",
        ),
        "They differ.\nCorrect: NO",
        '{"reason": "Other reasons.", "correct": false}',
        Graded(correct=False),
        "grade",
        "YES or NO",
        "how the two answers compare, in short\nCorrect: NO",
        ("Hm.",),
        instructions="grade.reason",
    ),
    "answer as a user": Case(
        AnswerAsUser(
            scenario=("You want tea.", "You are Ann."),
            conversation=(Utterance(speaker="user", text="Tea!"), Utterance(speaker="agent", text="Who\nare you?")),
        ),
        (
            "user: Your situation:\nYou want tea.\nYou are Ann.\n\n"
            "The conversation so far, in which you are the user:\nUser: Tea!\nAgent: Who are you?\n\n"
            "What do you say next?",
        ),
        "Answer: I am Ann. ###STOP###",
        '{"answer": "I am Ann. ###STOP###"}',
        UserAnswered(text="I am Ann.", leaves=True),
        "user_answer",
        "answer",
        "Answer: what you say next, with ###STOP### at its end if the conversation is over",
        ("",),
    ),
    "answer as a user with a tool": Case(
        AnswerAsUser(
            scenario=("You want tea.",),
            conversation=(
                Utterance(speaker="user", text="Tea!"),
                Utterance(speaker="agent", text="Is your kettle on?"),
                Utterance(speaker="call", text="look()"),
                Utterance(speaker="result", text="It is off."),
            ),
            tools={"look": "look(): at the kettle", "switch": "switch(on): the kettle"},
        ),
        (
            "user: Your situation:\nYou want tea.\n\nYour tools:\nlook(): at the kettle\nswitch(on): the kettle\n\n"
            "The conversation so far, in which you are the user:\n"
            "User: Tea!\nAgent: Is your kettle on?\nCall: look()\nResult: It is off.\n\n"
            "What do you say next? If you must use a tool first, because the agent asks you to or because you cannot "
            "answer otherwise, answer ###CALL### and one call in Python's syntax instead: ###CALL### "
            "look_up(name='Ann'). Then you are asked again, with what it returned; the agent sees neither. Say of your "
            "tools only what they returned.",
        ),
        "Answer: ###CALL### switch(on=True)",
        '{"answer": "###CALL### switch(on=True)"}',
        UserCalled(call="switch(on=True)"),
        "user_answer",
        "answer",
        "Answer: what you say next, with ###STOP### at its end if the conversation is over",
        ("",),
    ),
}
WITHOUT_AN_ANSWER: dict[Finish, str] = {
    "refusal": "refused to write the {}",
    "content_filter": "was stopped by a content filter at the {}",
    "tool_calls": "called tools instead of writing the {}",
    "empty": "gave an empty answer in place of the {}",
    "not_text": "answered with something else than text in place of the {}",
    "context_full": "has no room for the prompt of the {} (context full)",
}

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@each_case
def test_what_is_shown_and_asked_is_answered_from_the_text(case: Case) -> None:
    reply, model = ask(case.request, case.said)
    assert reply == case.reply
    instructions = PROMPTS[case.instructions or str(case.request.__struct_config__.tag)]
    assert [contents(prompt) for prompt in model.prompts] == [[f"system: {instructions}", *case.prompt]]
    assert model.samplings == [SAMPLING]


@each_case
def test_an_answer_as_json_is_read_alike(case: Case) -> None:
    reply, model = ask(case.request, case.json, structured=True)
    assert reply == case.reply
    assert model.samplings == [replace(SAMPLING, form=case.shape)]


@pytest.mark.parametrize(
    ("case", "ending"),
    [
        ("judge", 'End with "completed", true or false.'),
        ("judge a step", 'End with "completed", true or false.'),
        ("grade", 'End with "correct", true or false.'),
        ("align", 'Begin "description" with "The action is to", and end with "aligned", true for YES, false for NO.'),
    ],
)
def test_the_last_line_asks_for_json_where_answers_are_json(case: str, ending: str) -> None:
    _, model = ask(CASES[case].request, CASES[case].json, structured=True)
    (last,) = (contents(prompt)[-1].rpartition("\n\n")[2] for prompt in model.prompts)
    assert last == ending


def unclear() -> Iterator[Any]:
    for name, case in CASES.items():
        for said in case.unclear:
            yield pytest.param(case, said, case.doubt.format(case.wanted), id=f"{name}: {said[:20]!r}")
        cut = Completion(text=case.said, finish="length")
        yield pytest.param(case, cut, f"Your answer was cut off before its {case.wanted}", id=f"{name}: cut off")


@pytest.mark.parametrize("structured", [False, True])
@pytest.mark.parametrize(("case", "said", "doubt"), [*unclear()])
def test_what_cannot_be_read_is_asked_for_once_more_with_its_form_and_then_unanswered(
    case: Case, said: str | Completion, doubt: str, structured: bool
) -> None:
    reply, model = ask(case.request, said, case.json if structured else case.said, structured=structured)
    assert reply == case.reply
    first, again = map(contents, model.prompts)
    assert again[: len(first)] == first
    assert len(again) == len(first) + 2
    assert "<think>" not in again[-2]
    form = SHAPES[case.shape].example(structured=True) if structured else case.form
    assert again[-1] == f"user: {doubt}. {case.before_form}{form}"
    failed, model = ask(case.request, said, said, structured=structured)
    assert isinstance(failed, Unanswered)
    assert len(model.prompts) == 2
    wanted = case.wanted_at_last or case.wanted
    left_out = case.lacking or f"the model left out the {wanted}"
    cut_off = f"the model was cut off before the {wanted} was whole"
    assert failed.reason == (left_out if isinstance(said, str) else cut_off)


@each_case
def test_whether_an_answer_can_be_read_is_known_before_it_is_used(case: Case) -> None:
    question = next(each for each in QUESTIONS if each.asks is type(case.request))
    expected = "free" if question.shape.free else "read"
    assert question.legibility(case.request, Completion(text=case.said)) == expected
    for said in case.unclear:
        assert question.legibility(case.request, Completion(text=said)) == "unread"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.shape.name)
def test_a_text_that_answers_nothing_is_not_read_where_not_any_text_would_do(question: Question[Any, Any]) -> None:
    found = question.shape.reading("The weather is nice today, and the birds sing in the old garden.", "stop")
    read = [value for key, value in found.items() if key not in ("notes", "unreadable") and value]
    assert question.shape.free or not read


@pytest.mark.parametrize(
    ("question", "about", "said"),
    [
        (DECISION, Decide(setting="", goal=GOAL), "Thought: salt.\nAction: take salt"),
        (CANDIDATES, Decide(setting="", goal=GOAL), "Action: take salt (confidence 0.6)"),
        (CLUSTERS, ItemsToSort(items=("salt",), heading="Goals:"), "High-level Type1: spices [1]"),
    ],
)
def test_of_an_executor_and_a_memory_it_is_known_as_well(
    question: Question[Any, Any], about: Struct, said: str
) -> None:
    assert question.legibility(about, Completion(text=said)) == "read"
    assert question.legibility(about, Completion(text="The weather is nice today.")) == "unread"


@pytest.mark.parametrize("finish", WITHOUT_AN_ANSWER)
@each_case
def test_a_completion_that_holds_no_answer_is_not_asked_for_again(case: Case, finish: Finish) -> None:
    reply, model = ask(case.request, Completion(text=case.said, finish=finish))
    assert isinstance(reply, Unanswered)
    ended = WITHOUT_AN_ANSWER[finish].format(case.wanted_at_last or case.wanted)
    assert reply.reason == f"the model {ended}"
    assert len(model.prompts) == 1


@pytest.mark.parametrize("case", [case for case in CASES.values() if hasattr(case.request, "sampling")])
def test_a_request_may_vary_how_its_answer_is_drawn(case: Case) -> None:
    varied = replace(case.request, sampling=SamplingOverride(temperature=1.0, top_p=0.9))
    assert ask(varied, case.said)[1].samplings == [Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop)]
