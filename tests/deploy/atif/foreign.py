"""Trajectories as other tools write them, made by the package's own models."""

from pathlib import Path
from typing import Any

from atif import (
    Agent,
    AudioSource,
    ContentPart,
    FinalMetrics,
    ImageSource,
    Metrics,
    Observation,
    ObservationResult,
    Step,
    SubagentTrajectoryRef,
    ToolCall,
    Trajectory,
)

ASKED = [
    ContentPart(type="text", text="craft beehive"),
    ContentPart(type="image", source=ImageSource(media_type="image/png", path="../../etc/passwd")),
]


def steps(*each: dict[str, Any]) -> list[Step]:
    return [Step(step_id=number, **fields) for number, fields in enumerate(each, 1)]


def result(content: str | None, call: str | None = None, *refs: SubagentTrajectoryRef) -> ObservationResult:
    return ObservationResult(source_call_id=call, content=content, subagent_trajectory_ref=list(refs) or None)


def tool(identity: str, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(tool_call_id=identity, function_name=name, arguments=arguments)


def helper() -> Trajectory:
    """A trajectory in another one."""
    said = steps({"source": "user", "message": "find planks"}, {"source": "agent", "message": "there are none"})
    return Trajectory(
        schema_version="ATIF-v1.7", trajectory_id="sub", agent=Agent(name="helper", version="0"), steps=said
    )


def trajectory(**fields: Any) -> Trajectory:
    """Two tool calls in a step, a subtask, a picture, a sound, a question of the user, and steps without metrics."""
    delegated = SubagentTrajectoryRef(trajectory_id="sub")
    elsewhere = SubagentTrajectoryRef(trajectory_path="../other.json")
    usual: dict[str, Any] = {
        "schema_version": "ATIF-v1.7",
        "agent": Agent(name="openhands", version="1.2", model_name="m-1"),
        "steps": steps(
            {"source": "system", "message": "You craft."},
            {"source": "user", "message": ASKED},
            {"source": "agent", "message": "from an earlier task", "is_copied_context": True},
            {
                "source": "agent",
                "timestamp": "2026-01-02T03:04:05Z",
                "message": "Fetching both.",
                "reasoning_content": "Both are needed.",
                "tool_calls": [tool("a", "get", item="log", n=1), tool("b", "act", action="get 1 honeycomb")],
                "observation": Observation(
                    results=[result("Got 1 honeycomb", "b"), result("Got 1 log", "a"), result("The bag is full.")]
                ),
                "metrics": Metrics(prompt_tokens=10, completion_tokens=3, cost_usd=0.01, completion_token_ids=[1]),
            },
            {
                "source": "agent",
                "timestamp": "2026-01-02T03:04:07Z",
                "message": "",
                "llm_call_count": 0,
                "tool_calls": [tool("c", "delegate")],
                "observation": Observation(results=[result("nothing", "c", delegated, delegated, elsewhere)]),
            },
            {"source": "agent", "message": "Is that all?"},
            {
                "source": "user",
                "message": [
                    ContentPart(type="audio", source=AudioSource(media_type="audio/mpeg", path="yes.mp3")),
                    ContentPart(type="text", text="It is."),
                ],
            },
        ),
        "final_metrics": FinalMetrics(extra={"reward": 1}),
        "continued_trajectory_ref": "next.json",
        "subagent_trajectories": [helper()],
    }
    return Trajectory(**{**usual, **fields})


def write(file: Path, found: Trajectory) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(found.model_dump_json(exclude_none=True))
    return file
