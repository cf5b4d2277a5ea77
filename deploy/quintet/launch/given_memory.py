"""The memory or notebook that a run begins with, and the trajectories that it learns from: found and checked."""

from collections.abc import Collection

from quintet.config.complaints import with_origin
from quintet.config.memory_section import MemorySection
from quintet.config.methods import method_configs
from quintet.config.resolve import Resolved
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.learned.memories import as_learnt, count_trajectories, read_memory
from quintet.memory.trajectories import GivenTrajectories
from quintet.messages.parts import BY_TASK
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.record import GivenMemory


def find_given_memory(resolved: Resolved, *, empty: bool = False) -> tuple[Resolved, GivenMemory | None]:
    """The memory or notebook that the run is given, and the configuration with what it is; None: it is given none.

    Args:
        empty: whether it may be empty.

    Raises:
        UsageError: there is none, it is of another kind, world or learner, or a setting is not for its kind.
    """
    config, settings = resolved.config, resolved.settings
    section, given = config.memory, None
    if section is None:
        return resolved, None
    learns = None if config.learning is None else resolved.methods[0].method.learner
    kind = section.kind if learns is None or learns.learns == "plan" else learns.learns
    if section.source is not None:
        with with_origin(settings, ["memory.source"]):
            learner = None if learns is None else config.method.name
            world = config.environment.name
            given = read_memory(section.source, world, kind, learner=learner, other_world=section.world, empty=empty)
        kind = given.kind
        if kind == "memory" and not any(EXECUTOR_ROLE in method.roles for method in resolved.methods):
            with with_origin(settings, ["memory.source"]):
                expected = "notes for a method without an executor"
                raise UsageError(f"memory.source: expected {expected}, got tuples ({section.source})")
        if learns is None:
            section = as_learnt(section, given.file, resolved.given)
    if section.kind not in (None, kind):
        with with_origin(settings, ["memory.kind"]):
            raise UsageError(f"memory.kind: expected {kind!r}, which the run learns, got {section.kind!r}")
    section = section.model_copy(update={"kind": kind})
    _refuse_other_kind(section, settings)
    if given is not None and config.learning is None and kind == "memory" and section.batch > given.batches > 0:
        with with_origin(settings, ["memory.batch"]):
            raise UsageError(
                f"memory.batch: expected at most {given.batches}, the batch memories of {section.source}, got "
                f"{section.batch}"
            )
    config = config.model_copy(update={"memory": section})
    return resolved._replace(config=config, methods=method_configs(config)), given


def _refuse_other_kind(section: MemorySection, settings: Settings) -> None:
    """Refuse settings of a memory where there is a notebook, and of a notebook where there is a memory."""
    wrong: dict[str, object]
    if section.kind == "notebook":
        wrong = {"batch": section.batch != 1}
        retrievals = [each.retrieval for each in section.recalled_sections]
        if section.control == "shuffled" and not any(each in BY_TASK for each in retrievals):
            with with_origin(settings, ["memory.control", "memory.retrieval"]):
                raise UsageError(
                    "memory.control: expected a retrieval that differs from task to task for 'shuffled' "
                    f"({', '.join(BY_TASK)}), got {', '.join(map(repr, retrievals))}"
                )
    else:
        wrong = {"sections": [*section.sections], "most": section.most, "retrieval": section.retrieval == "all"}
    for name, set_so in wrong.items():
        if set_so:
            other = "memory" if section.kind == "notebook" else "notebook"
            got = [*section.sections] if name == "sections" else getattr(section, name)
            with with_origin(settings, [key for key in settings if key.startswith(f"memory.{name}")]):
                raise UsageError(f"memory.{name}: expected a {other} for it to be {got!r}, got a {section.kind}")


def find_trajectories(resolved: Resolved, measured: Collection[str]) -> GivenTrajectories | None:
    """What a memory or notebook is learnt from; no task that the run is `measured` by may be in it. None: nothing."""
    section, world = resolved.config.memory, resolved.config.environment.name
    if section is None or not section.forms:
        return None
    with with_origin(resolved.settings, ["memory.trajectories", "memory.from_runs"]):
        return count_trajectories(section, world, measured)
