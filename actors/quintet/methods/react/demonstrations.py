"""Which worked examples the executor sees before a task, if an environment has several sets."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from quintet.messages.parts import Demonstrations, PromptPart

Demonstrated: TypeAlias = Literal["none", "only", "atomic", "hybrid", "paper", "task"]
"""`none`: no examples. `only`: the environment's only set. `atomic`: single skills, finding included. `hybrid`: these,
and two whole tasks. `paper`: ADaPT's six skills, which do not include finding, and the same two whole tasks. `task`:
two whole tasks of the task's own type; where tasks have no types, the environment's only set."""

_ONLY = "demonstrations"
_SKILLS = "skills"
_PAPERS_SKILLS = "paper-skills"
_CLAIMS = ("Action: task completed", "Action: task failed")
_OFFERED_CLAIMS = ("- task completed:", "- task failed:")
_ALWAYS = ("heat-1", "look-1")


def demonstrations(kind: Demonstrated | None, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
    """The names of the prompts to show.

    Args:
        kind: the set; None: the environment's only one, if it has one.
        metadata: of the task; `task` uses its task type.

    Returns:
        None for the environment's only set, if it has one.

    Source: ADaPT, table 1 and appendix A (`paper`), appendix C (`task`); AutoPlan, section 4.3 (`none` and `task`, its
    0 shots, and its 2 on ALFWorld or 6 on HotpotQA). The other two are ours: their skills are larger than the paper's.
    """
    match kind:
        case None:
            return None
        case "none":
            return ()
        case "only":
            return (_ONLY,)
        case "atomic":
            return (_SKILLS,)
        case "hybrid":
            return (_SKILLS, *_ALWAYS)
        case "paper":
            return (_PAPERS_SKILLS, *_ALWAYS)
        case "task":
            if (kin := metadata.get("task type")) is None:
                return None
            return (f"{kin.replace(' ', '-')}-1", f"{kin.replace(' ', '-')}-2")


def rewrite_demonstrations(rewrite: Callable[[str], str], parts: Iterable[PromptPart]) -> tuple[PromptPart, ...]:
    """The parts, with the text of every demonstration rewritten."""
    return tuple(
        Demonstrations(text=rewrite(part.text)) if isinstance(part, Demonstrations) else part for part in parts
    )


def without_thoughts(text: str) -> str:
    """Worked examples of which the actions and the world's answers are left. A thought is one line."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("Thought:"))


def without_claims(text: str) -> str:
    """Worked examples without their claims and the thoughts before them: each ends with the world's answer."""
    kept: list[str] = []
    for line in without_offered_claims(text).splitlines():
        if line.rstrip() not in _CLAIMS:
            kept.append(line)
        elif kept and kept[-1].startswith("Thought:"):
            kept.pop()
    return "\n".join(kept)


def without_offered_claims(instructions: str) -> str:
    """Instructions, or the head of examples, whose list of actions has no claims."""
    return "\n".join(line for line in instructions.split("\n") if not line.startswith(_OFFERED_CLAIMS))
