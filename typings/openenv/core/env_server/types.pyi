from typing import Any

class Action:
    metadata: dict[str, Any]

class Observation:
    def __init__(self, **fields: object) -> None: ...

class State:
    step_count: int
    def __init__(self, *, episode_id: str | None, step_count: int) -> None: ...
