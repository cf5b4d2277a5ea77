"""Forms of the answers that a memory is made of: evaluations, summaries, clusters, an index."""

from pydantic import Field

from quintet.parsing.json_form import JsonForm, JsonObject, on_one_line


class SubgoalForm(JsonObject):
    """A subgoal, and how it stands."""

    goal: str = Field(description="what has to be reached")
    complete: bool


class EvaluationForm(JsonForm):
    """Which subgoals are complete."""

    prescribed = (
        'Answer with a JSON object with one list, "subgoals", and nothing around it. Each entry is an object with two '
        'fields: "goal", what has to be reached, and "complete", true or false. Where evaluations are shown, the same '
        "stands as lines."
    )
    subgoals: tuple[SubgoalForm, ...] = Field(description="in order")

    def as_text(self) -> str:
        return "\n".join(
            f"subgoal {number}: {on_one_line(each.goal)} - {'complete' if each.complete else 'incomplete'}"
            for number, each in enumerate(self.subgoals, 1)
        )


class SummaryForm(JsonForm):
    """A summary of the past."""

    prescribed = (
        'Answer with a JSON object with one text, "summary", a few short sentences on what was done and what it led '
        "to, and nothing around it."
    )
    summary: str = Field(description="what was done and what it led to")

    def as_text(self) -> str:
        return f"Summary: {on_one_line(self.summary)}"


class ClusterForm(JsonObject):
    """A type, with the numbers of what belongs to it."""

    name: str = Field(description="short and general")
    numbers: tuple[int, ...] = Field(description="of the list")


class ClustersForm(JsonForm):
    """Types that share out the numbers of a list."""

    prescribed = (
        'Answer with a JSON object with one list, "types", and nothing around it. Each entry is an object with two '
        'fields: "name", a short and general name, and "numbers", the list of the numbers that belong to it.'
    )
    types: tuple[ClusterForm, ...]

    def as_text(self) -> str:
        return "\n".join(
            f"High-level Type{number}: {on_one_line(each.name)} [{', '.join(map(str, each.numbers))}]"
            for number, each in enumerate(self.types, 1)
        )


class IndexForm(JsonForm):
    """A type, after its reason."""

    prescribed = (
        'Answer with a JSON object, and nothing around it: "reason", a short text, why; and then "type", the number '
        "of the type."
    )
    reason: str = Field(description="why, in short")
    type: int = Field(description="the number of the type")

    def as_text(self) -> str:
        return f"[{self.type}]: {on_one_line(self.reason)}"
