"""How a run can end, and what the process says of it."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

HowEnded: TypeAlias = Literal["done", "faulted", "stopped", "spent", "interrupted"]
"""`done`: every episode ended, none by a fault. `faulted`: every episode ended, some by a fault. `stopped`: at a bug,
as `run.fail_fast` asks. `spent`: the run's budget is. `interrupted`: by a person, or by what no episode can be blamed
for. The last three resume."""

EXIT_CODES: Mapping[HowEnded, int] = {"done": 0, "faulted": 1, "stopped": 1, "spent": 3, "interrupted": 130}
