"""The methods, worlds, models and embedders that a run can name: its user's objects, ours, and plug-ins'.

Ours and plug-ins' are loaded only when used. Whatever looks a name up raises a `UsageError` if the name is unknown, or
if what it names cannot be loaded or made.
"""

import inspect
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from quintet.environments.adapters.plain import as_world
from quintet.errors import UsageError, one_line
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins.brought import brought_names, find_brought
from quintet.plugins.code_places import defined_at, raised_at
from quintet.plugins.entry_points import Kind, PlugIn, plug_ins
from quintet.plugins.signatures import check_functions
from quintet.ports.async_world import AsyncWorld
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.ports.world import World

METHODS: Mapping[str, str] = {
    "react": "quintet.methods.react.react:React",
    "standard": "quintet.methods.standard.standard:Standard",
    "try_again": "quintet.methods.try_again.try_again:TryAgain",
    "reflexion": "quintet.methods.reflexion.reflexion:Reflexion",
    "plan_act": "quintet.methods.plan_act.plan_act:PlanAct",
    "devils_advocate": "quintet.methods.devils_advocate.devils_advocate:DevilsAdvocate",
    "plan_execute": "quintet.methods.plan_execute.plan_execute:PlanExecute",
    "adapt": "quintet.methods.adapt.adapt:Adapt",
    "adaplanner": "quintet.methods.adaplanner.adaplanner:AdaPlanner",
    "autoplan": "quintet.methods.autoplan.autoplan:AutoPlan",
    "search": "quintet.methods.search.search:Search",
    "lats": "quintet.methods.lats.lats:Lats",
    "ldm2": "quintet.methods.ldm2.ldm2:Ldm2",
    "ace": "quintet.methods.ace.ace:Ace",
    "expel": "quintet.methods.expel.expel:Expel",
    "reasoning_bank": "quintet.methods.reasoning_bank.reasoning_bank:ReasoningBank",
    "awm": "quintet.methods.awm.awm:Awm",
    "skill_discovery": "quintet.methods.skill_discovery.skill_discovery:SkillDiscovery",
    "random": "quintet.methods.random.random:Random",
    "naive": "quintet.methods.naive.naive:Naive",
    "expert": "quintet.methods.expert.expert:Expert",
}
WORLDS: Mapping[str, str] = {
    "textcraft": "quintet.environments.textcraft.world:TextCraft",
    "alfworld": "quintet.environments.alfworld.world:AlfWorld",
    "hotpotqa": "quintet.environments.hotpotqa.world:HotpotQa",
    "webshop": "quintet.environments.webshop.world:WebShop",
    "webarena": "quintet.environments.webarena.world:WebArena",
    "shell": "quintet.environments.shell.world:Shell",
    "bfcl": "quintet.environments.bfcl.world:Bfcl",
    "tau2": "quintet.environments.tau2.world:Tau2",
    "miniwob": "quintet.environments.miniwob.world:Miniwob",
    "scienceworld": "quintet.environments.scienceworld.world:ScienceWorld",
    "gym": "quintet.environments.gymnasium_world.world:RegisteredWorld",
    "openenv": "quintet.environments.openenv.world:OpenEnvWorld",
    "mcp": "quintet.environments.mcp.world:McpWorld",
}
MODELS: Mapping[str, str] = {
    "sim-weak": "quintet.models.stand_in.model:weak",
    "sim-strong": "quintet.models.stand_in.model:strong",
    "sim-fallible": "quintet.models.stand_in.model:fallible",
    "scripted": "quintet.models.scripted:Scripted",
    "local": "quintet.models.local.model:Local",
    "bridge": "quintet.models.bridge.model:Bridge",
}
DEFAULT_MODEL = "sim-weak"
"""The model of a run that names none; it needs no key and no network."""
EMBEDDERS: Mapping[str, str] = {
    "wordllama": "quintet.models.embedding.wordllama:WordLlama",
    "hashed-words": "quintet.models.embedding.hashed_words:HashedWords",
}


def method(name: str) -> type[Method[Any]]:
    """The method called `name`."""
    found: type[Method[Any]] = factory("method", name)
    return found


def world(name: str, **options: Any) -> World:
    """A new instance of the world called `name`, as `as_world` returns it."""
    made = as_world(_made("environment", name, World, options))
    if made.places is not None and made.places < 1:
        raise UsageError(f"environment {made.name}: places: expected at least 1, got {made.places}")
    given: Path | None = vars(made).get("prompt_folder")
    if given not in (None, prompt_folder(name)):
        expected = "the folder as an attribute of the function that makes it, where prompts are looked for"
        raise UsageError(f"environment {made.name}: prompt_folder: expected {expected}, got {given} on the world alone")
    return made


def prompt_folder(name: str) -> Path | None:
    """The folder of prompts that the world called `name` brings; None: it brings none."""
    given = find_brought("environment", name)
    found: Path | None = getattr(factory("environment", name) if given is None else given.value, "prompt_folder", None)
    return found


def model(name: str, **options: Any) -> Model:
    """A new instance of the model called `name`."""
    made: Model = _made("model", name, Model, options)
    return made


def embedder(name: str, **options: Any) -> Embedder:
    """A new instance of the embedder called `name`."""
    made: Embedder = _made("embedder", name, Embedder, options)
    return made


def is_known(kind: Kind, name: str) -> bool:
    """Whether a name is that of an object that the run is brought, or ours, or a plug-in's."""
    return find_brought(kind, name) is not None or name in _ours(kind) or name in names(kind)


def is_name(kind: Kind, text: str) -> bool:
    """Whether a text is a known name, alone or with its option: `mcp:COMMAND`."""
    return is_known(kind, text) or bool(split_name(kind, text)[1])


def factory(kind: Kind, name: str) -> Any:
    """Load the object of a name: the class of a method, or the callable that makes a world or a model.

    An object that the run is brought comes first. Our own names are never looked up among plug-ins.
    """
    if (given := find_brought(kind, name)) is not None:
        with as_plug_in_error(kind, name, f"a usable {kind}"):
            return _usable(kind, given.factory)
    ours = _ours(kind)
    if name in ours:
        module, attribute = ours[name].split(":")
        with as_plug_in_error(kind, name, ours[name]):
            return getattr(import_module(module), attribute)
    plug_in = _find_plug_in(kind, name)
    with as_plug_in_error(kind, name, plug_in.target):
        return _usable(kind, plug_in.load())


def split_name(kind: Kind, name: str) -> tuple[str, Mapping[str, str]]:
    """Split `local:FILE` into `local` and the option that its factory names in `name_option`, with the value `FILE`."""
    first, colon, rest = name.partition(":")
    option = name_option(kind, first) if colon else None
    return (name, {}) if option is None else (first, {option: rest})


def name_option(kind: Kind, name: str) -> str | None:
    """The option whose value follows a name and a colon; None: the name is unknown, or its factory has none."""
    option: str | None = getattr(factory(kind, name), "name_option", None) if is_known(kind, name) else None
    return option


def names(kind: Kind) -> tuple[str, ...]:
    """All names of a kind: those of objects that the run is brought, ours, then those of plug-ins."""
    return tuple(dict.fromkeys((*brought_names(kind), *_ours(kind), *(each.name for each in plug_ins(kind)))))


def origin(kind: Kind, name: str) -> PlugIn | None:
    """The plug-in behind a name; None if the name is an object's that the run is brought, or ours, or unknown."""
    if find_brought(kind, name) is not None or name in _ours(kind):
        return None
    return next((plug_in for plug_in in plug_ins(kind) if plug_in.name == name), None)


def target(kind: Kind, name: str) -> str | None:
    """Where a name is defined, `package.module:attribute`; None if it is unknown, or that of a user's object."""
    plug_in = origin(kind, name)
    return _ours(kind).get(name) if plug_in is None else plug_in.target


def refuse_rivals(kind: Kind, name: str) -> None:
    """Refuse a name that two distributions provide; one may be ours."""
    ours = ["quintet-agents"] if name in _ours(kind) else []
    brought = ours + [plug_in.brought_by for plug_in in plug_ins(kind) if plug_in.name == name]
    if len(brought) > 1:
        raise UsageError(
            f"{kind} {name}: expected one distribution to bring it, got {' and '.join(brought)}; uninstall all but one"
        )


@contextmanager
def as_plug_in_error(kind: Kind, name: str, expected: str) -> Generator[None, None, None]:
    """Blame the plug-in for any error inside, and its line; `expected` is what it should have returned."""
    try:
        yield
    except UsageError:
        raise
    except (Exception, SystemExit) as error:  # a plug-in may fail at anything, and its name is what helps
        what, got = plug_in_label(kind, name), f"{type(error).__name__}: {one_line(error)}"
        raise UsageError(f"{what}: expected {expected}, got {got} ({raised_at(error)})") from error


def plug_in_label(kind: Kind, name: str) -> str:
    """A plug-in by its kind, its name and its distribution; a user's object by where it comes from."""
    if (given := find_brought(kind, name)) is not None:
        return f"{kind} {name} ({given.origin})"
    found = origin(kind, name)
    return f"{kind} {name}" if found is None else f"{kind} {name} ({found.brought_by})"


def one_of(names: Iterable[str], got: str) -> str:
    """The names most similar to `got`, for an error message; all of them if none is similar."""
    names = list(names)
    near = get_close_matches(got, names, n=3) or names
    return repr(near[0]) if len(near) == 1 else "one of " + ", ".join(map(repr, near))


def missing_members(port: type, found: object) -> list[str]:
    """The members of a port that an object lacks; a class needs only the functions.

    A world needs a name and the members that have no default.
    """
    if issubclass(port, World):
        return [each for each in (*sorted(port.__abstractmethods__), "name") if not hasattr(found, each)]
    inherited = ((name, member) for base in port.__mro__ for name, member in vars(base).items())
    members = {name: member for name, member in inherited if not name.startswith("_")}
    needed = [name for name, member in members.items() if not isinstance(found, type) or callable(member)]
    return [name for name in sorted(needed) if not hasattr(found, name)]


def _ours(kind: Kind) -> Mapping[str, str]:
    match kind:
        case "method":
            return METHODS
        case "environment":
            return WORLDS
        case "model":
            return MODELS
        case "embedder":
            return EMBEDDERS


def _find_plug_in(kind: Kind, name: str) -> PlugIn:
    refuse_rivals(kind, name)
    found = origin(kind, name)
    if found is None:
        yours = ", or FILE.py:OBJECT for one of yours" if ":" in name else ""
        raise UsageError(f"{kind}: expected {one_of(names(kind), name)}{yours}, got {name!r}")
    return found


def _is_method(found: Any) -> bool:
    return inspect.isclass(found) and issubclass(found, Method)


def _usable(kind: Kind, found: Any) -> Any:
    """Check that the object of an entry point is of the kind it was registered as."""
    if kind == "method":
        if not _is_method(found):
            raise TypeError(f"{found!r}, which is no subclass of Method")
        _check_method(found)
        return found
    inspect.signature(found)
    get_type_hints(found.__init__ if inspect.isclass(found) else found)
    return found


def _check_method(found: type[Method[Any]]) -> None:
    lacks = [*sorted(found.__abstractmethods__), *(each for each in ("name", "version") if not hasattr(found, each))]
    if lacks:
        raise UsageError(f"{defined_at(found)}: {found.__name__}: expected a method with {', '.join(lacks)}, got none")
    if not hasattr(found, "options"):
        expected = "`Method[CONFIG]`, with the type of its configuration, as the base class"
        raise UsageError(f"{defined_at(found)}: {found.__name__}: expected {expected}, got `Method`")
    check_functions(found, Method)
    if found.learner is not None:
        check_functions(found.learner, LearnerSpec)


def _made(kind: Kind, name: str, port: type, options: Mapping[str, Any]) -> Any:
    make = factory(kind, name)
    with as_plug_in_error(kind, name, "an instance"):
        made = make(**options)
        missing = missing_members(port, made)
    if missing:
        lacks = f"{type(made).__name__}, which lacks {', '.join(missing)}"
        raise UsageError(f"{plug_in_label(kind, name)}: expected a {port.__name__}, got {lacks}")
    if name not in _ours(kind):
        found: type = made.__class__
        waits = port is World and issubclass(found, AsyncWorld)
        stands_alone = port is World and not waits and not issubclass(found, World)
        check_functions(found, AsyncWorld if waits else port, either=stands_alone)
    return made
