"""AdaPlanner's configuration."""

from pydantic import Field

from quintet.methods.base.options import MethodOptions


class AdaPlannerConfig(MethodOptions):
    """AdaPlanner's configuration. Where an environment's defaults differ from these, `AdaPlanner.worlds` says so."""

    attempts: int = Field(default=6, ge=1)
    """Programs for a task, the first and refused ones included. With 1 no plan is revised."""

    reset_after: int | None = Field(default=3, ge=1)
    """Programs that failed in a row after which the task begins anew; None: every program goes on where the last one
    stopped."""

    max_actions: int = Field(default=60, ge=1)
    """Actions of all programs together. The defaults are ReAct's budgets."""

    max_questions: int = Field(default=20, ge=0)
    """Questions of all programs together. With 0 no plan is refined while it is carried out, and no prompt offers
    it."""

    temperature: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Of the planner."""
