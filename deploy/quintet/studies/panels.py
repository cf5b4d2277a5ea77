"""The panels of a study's picture, as its file lists them."""

from typing import Literal, TypeAlias

from msgspec import Struct


class StudyTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a study's file."""


CostKind: TypeAlias = Literal["calls", "tokens", "USD"]
"""What an episode costs."""


LineFigure: TypeAlias = Literal["success", "score", "calls", "success_by_calls", "actions", "plan_revisions"]
"""All are drawn over the setting, but `success_by_calls`: success over model calls, a point for each value. `score` is
of arms in which an episode earned a part of its reward; `actions` are those of a trial, `plan_revisions` those of an
episode, and arms without trials have no such line."""


class LinesPanel(StudyTable, frozen=True, tag_field="kind", tag="lines"):
    """A line for each arm through the values of the study's `over`."""

    title: str
    figure: LineFigure = "success"
    by: str = ""
    """With a label, further lines for each of its values."""


class BarsPanel(StudyTable, frozen=True, tag_field="kind", tag="bars"):
    """A bar for each arm at every value of a label: success with its interval, above it the mean depth to succeed."""

    title: str
    arms: tuple[str, ...]
    """Names of arms and versions."""
    by: str = ""
    """Empty: one group of bars, of all tasks."""
    figure: Literal["success", "claims"] = "success"
    """`claims`: a group of bars for each arm, success as claimed and as earned."""


class CurvesPanel(StudyTable, frozen=True, tag_field="kind", tag="curves"):
    """A line for each group of a study's curves over iterations, with a band of one standard deviation."""

    title: str
    groups: tuple[str, ...] = ()
    """The arms of the groups; empty: all."""


class StreamPanel(StudyTable, frozen=True, tag_field="kind", tag="stream"):
    """A line for each arm along its stream: success of all tasks up to each place, with a band of its interval."""

    title: str


class TrialsPanel(StudyTable, frozen=True, tag_field="kind", tag="trials"):
    """A line for each arm that has trials: success with its interval, up to each trial."""

    title: str
    arms: tuple[str, ...] = ()
    """Names of arms and versions; empty: all."""


class PlanStepsPanel(StudyTable, frozen=True, tag_field="kind", tag="plan_steps"):
    """Bars for each arm that plans: what share of its plans has each number of steps."""

    title: str
    arms: tuple[str, ...] = ()
    """Names of arms and versions; empty: all."""


class CostPanel(StudyTable, frozen=True, tag_field="kind", tag="cost"):
    """A point for each arm: success over a cost of an episode, each with its interval, and the Pareto front."""

    title: str
    cost: CostKind


class TransferPanel(StudyTable, frozen=True, tag_field="kind", tag="transfer"):
    """The matrix of a study whose findings are `transfer`."""

    title: str


Panel: TypeAlias = (
    LinesPanel | BarsPanel | CurvesPanel | StreamPanel | CostPanel | TrialsPanel | PlanStepsPanel | TransferPanel
)
