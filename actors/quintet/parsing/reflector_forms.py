"""Forms of the reflector's answers: reflections, marks, choices, comparisons, alignments, verdicts, descriptions.

The judge's answer, a grade, has its form here too.
"""

from pydantic import Field

from quintet.parsing.json_form import JsonForm, on_one_line


class ReflectionForm(JsonForm):
    """A part of a reflection."""

    prescribed = 'Answer with a JSON object with one text, "text", and nothing around it.'
    text: str

    def as_text(self) -> str:
        return self.text


class LookBackForm(JsonForm):
    """What to do differently next time."""

    prescribed = (
        'Answer with a JSON object with one text, "reflection", what you will do differently next time, and nothing '
        "around it."
    )
    reflection: str = Field(description="what you will do differently next time")

    def as_text(self) -> str:
        return f"Reflection: {self.reflection}"


class ValueForm(JsonForm):
    """A mark, after its reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text, why; and then "mark", a whole '
        "number from 1 to 10."
    )
    reason: str = Field(description="why, in short")
    mark: int = Field(description="from 1 to 10")

    def as_text(self) -> str:
        return f"{on_one_line(self.reason)}\nMark: {self.mark}"


class ChoiceForm(JsonForm):
    """A choice, after its reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text, why; and then "choice", the number '
        "of the best option."
    )
    reason: str = Field(description="why, in short")
    choice: int = Field(description="the number of the best option")

    def as_text(self) -> str:
        return f"{on_one_line(self.reason)}\nChoice: {self.choice}"


class ComparisonForm(JsonForm):
    """The step in which two processes part, after its reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text, why; and then "step", the number '
        "of the step."
    )
    reason: str = Field(description="why, in short")
    step: int = Field(description="the number of the step")

    def as_text(self) -> str:
        return f"{self.step}: {on_one_line(self.reason)}"


class AlignmentForm(JsonForm):
    """What an action did, and whether it serves its step."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "description", one sentence that begins with "The action is '
        'to" and says what the action did; and then "aligned", true or false.'
    )
    description: str = Field(description="one sentence that begins with: The action is to")
    aligned: bool = Field(description="whether the action serves the step")

    def as_text(self) -> str:
        return f"{on_one_line(self.description)}\n{_YES_OR_NO[self.aligned]}"


class VerdictForm(JsonForm):
    """Whether something is completed, after the reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text, why; and then "completed", true or '
        "false."
    )
    reason: str = Field(description="why, in short")
    completed: bool

    def as_text(self) -> str:
        return f"{on_one_line(self.reason)}\n{_YES_OR_NO[self.completed]}"


class GradeForm(JsonForm):
    """Whether an answer is correct, after the reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text that compares the two answers; and '
        'then "correct", true or false.'
    )
    reason: str = Field(description="how the two answers compare, in short")
    correct: bool

    def as_text(self) -> str:
        return f"{on_one_line(self.reason)}\nCorrect: {_YES_OR_NO[self.correct]}"


class CondensedForm(JsonForm):
    """A long observation in short."""

    prescribed = (
        'Answer with a JSON object with one text, "short_description", what is seen in short, and nothing around it.'
    )
    short_description: str = Field(description="what is seen, in short")

    def as_text(self) -> str:
        return f"Short description: {self.short_description}"


_YES_OR_NO = {True: "YES", False: "NO"}
