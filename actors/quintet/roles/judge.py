"""The judge role: grades answers that a world was given. Its model is its own, which no method calls."""

from pathlib import Path

from quintet.questions.judging import GRADING
from quintet.roles.asking import asking_role

JUDGE_ROLE = asking_role(
    "judge", *GRADING, completion_tokens=512, prompts=Path(__file__).parent / "prompts" / "judge", apart=True
)
