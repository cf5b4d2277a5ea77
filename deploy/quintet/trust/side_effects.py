"""What a resume of a run or a study would run, import, load and contact, read off its records; nothing is touched."""

import json
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, cast

from pydantic import BaseModel

from quintet.config import plugins
from quintet.config.memory_section import MemorySection
from quintet.config.plug_in_sections import Optioned
from quintet.config.sections import EnvironmentSection, ModelSettings, RunConfig, setting_tables
from quintet.config.settings import Settings
from quintet.config.values import Section
from quintet.models.endpoint.key import USUAL_KEY
from quintet.plugins import catalogue
from quintet.plugins.brought import FROM_PYTHON
from quintet.plugins.files import open_regular
from quintet.ports.effects import Effect
from quintet.runs.blame_record import BlameRecord
from quintet.runs.record import CodeRecord, RunRecord
from quintet.trust.origins import Origin, Origins

_HASHED: Final = 2**26
"""Bytes of the largest file whose content is approved; of a larger one it is the name."""
_PROVIDERS_OWN: Final = "the variable that its provider's tools use"
_USUAL_ADDRESS: Final = "OpenAI, or OPENAI_BASE_URL"

_Marked: TypeAlias = tuple[str, Any, Effect]
"""A setting's name, its value, and its mark."""


class SideEffect(NamedTuple):
    """One thing that a resume would do beside running our own code."""

    effect: Effect
    value: str
    key: str
    """The setting that names it."""
    secret: str = ""
    """The variables whose secrets go there, separated by commas; empty: none."""
    content: str = ""
    """Digest of the files that it names."""

    def __str__(self) -> str:
        shown = ", ".join(dict.fromkeys(map(_shown, self.secret.split(", "))))
        secret = f", with the secret in {shown}" if self.secret and self.value else shown
        return f"{self.effect.value} {self.value}{secret} ({json.dumps(self.key)[1:-1]})"

    @property
    def identity(self) -> tuple[str, ...]:
        """What is approved: all but the setting."""
        return (self.effect.name, self.value, self.secret, self.content)


def run_effects(record: RunRecord, changes: Settings) -> tuple[SideEffect, ...]:
    """Of a run, under what resumes changed: each once, in the order of the settings."""
    known = {file.name: file.sha256 for file in record.files.values()}
    recorded = [] if record.fork is None else [SideEffect(Effect.COPIES, _quoted(record.fork.run), "fork.run")]
    configured = _configured(record.configuration, record.code, known)
    return _once(*_code(record.code), *recorded, *configured, *_changed(changes))


def study_effects(
    configurations: Iterable[RunConfig],
    code: Iterable[CodeRecord],
    changes: Settings,
    blame: BlameRecord | None = None,
) -> tuple[SideEffect, ...]:
    """Of a study, in all its arms, and in those that may follow.

    Args:
        blame: the recorded run that further arms go on from, and their settings; None: it is no search in one.
    """
    code = tuple(code)
    recorded = [] if blame is None else [SideEffect(Effect.COPIES, _quoted(blame.run), "blame.run")]
    return _once(
        *_code(code),
        *recorded,
        *(each for config in configurations for each in _configured(config, code, {})),
        *_changed(changes if blame is None else {**blame.recorded_settings, **changes}),
    )


def environment_effects(section: EnvironmentSection) -> tuple[SideEffect, ...]:
    """Of making an environment by its name, without objects."""
    return tuple(_of_section("environment", section, Origins("", ()), {}))


def embedder_effects(memory: MemorySection | None) -> tuple[SideEffect, ...]:
    """Of the embedder that a memory's section names, without objects."""
    if memory is None or memory.embedder is None:
        return ()
    return tuple(_of_section("memory.embedder", memory.embedder, Origins("", ()), {}))


def effect_of(metadata: Iterable[object]) -> Effect:
    """The mark among a field's metadata; a field without one holds no text."""
    return next((mark for mark in metadata if isinstance(mark, Effect)), Effect.NONE)


def _once(*effects: SideEffect) -> tuple[SideEffect, ...]:
    found: dict[tuple[str, ...], SideEffect] = {}
    for each in effects:
        found.setdefault(each.identity, each)
    return tuple(found.values())


def _code(code: Iterable[CodeRecord]) -> Iterator[SideEffect]:
    for each in code:
        if each.origin != FROM_PYTHON:  # which a program gives again
            texts = sha256(json.dumps(sorted(each.texts.items())).encode()).hexdigest()
            yield SideEffect(Effect.IMPORTS, _quoted(each.origin), f"{each.kind} {each.name}", content=texts)


def _origins(config: RunConfig, code: Iterable[CodeRecord]) -> Origins:
    return Origins(config.method.name, {(each.kind, each.name) for each in code})


def _configured(config: RunConfig, code: Iterable[CodeRecord], known: Mapping[str, str]) -> Iterator[SideEffect]:
    origins = _origins(config, code)
    for key, section in _sections("", config):
        yield from _of_section(key, section, origins, known)


def _sections(key: str, section: Section) -> Iterator[tuple[str, Section]]:
    """A table and those within it, by their keys."""
    yield key, section
    for name in type(section).model_fields:
        for inner, table in _within(name, getattr(section, name)):
            if isinstance(table, Section):
                yield from _sections(f"{key}.{inner}".strip("."), table)


def _within(name: str, value: object) -> Iterable[tuple[str, object]]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value).items()
    return [(name, each) for each in (cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,))]


def _of_section(key: str, section: Section, origins: Origins, known: Mapping[str, str]) -> Iterator[SideEffect]:
    marked = [each for each in _marked(section) if each[0] != "name"]
    if isinstance(section, Optioned):
        origin = origins.of(section)
        marked += _options(key, section, origin)
        if origin.plug_in:
            yield SideEffect(Effect.IMPORTS, _quoted(origin.plug_in), f"{key}.name")
    files: Mapping[str, str] = known if isinstance(section, ModelSettings) else {}
    secret = ", ".join(name for _, value, effect in marked if effect is Effect.SENDS for name in _variables(value))
    for name, value, effect in marked:
        if effect is not Effect.SENDS:
            sent = secret if effect in (Effect.CONTACTS, Effect.REACHES) else ""
            yield SideEffect(effect, _quoted(value), f"{key}.{name}", sent, _content(effect, value, files))


def _options(key: str, section: Optioned, origin: Origin) -> Iterator[_Marked]:
    if origin.options is None:
        yield from ((name, value, Effect.PASSES) for name, value in section.options.items() if _has_text(value))
        return
    marked = [*_marked(plugins.validate(origin.options, section.options, key))]
    yield from marked
    if not origin.is_endpoint and any(effect is Effect.CONTACTS for _, _, effect in marked):
        yield ("key", _PROVIDERS_OWN, Effect.SENDS)  # counts where no other is named
    if origin.is_endpoint and getattr(section, "url", None) is None:
        yield ("url", _USUAL_ADDRESS, Effect.CONTACTS)


def _marked(table: BaseModel) -> Iterator[_Marked]:
    """The settings of a table that are given and have a mark."""
    for name, field in type(table).model_fields.items():
        value = getattr(table, name)
        if (effect := effect_of(field.metadata)) is not Effect.NONE and value not in (None, "", (), {}):
            yield name, value, effect


def _variables(value: object) -> Iterable[str]:
    """The names of variables in a setting: one, several, or one for each header."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, str]", value).values()
    return [value] if isinstance(value, str) else cast("Iterable[str]", value)


def _has_text(value: object) -> bool:
    """Whether a value may name anything."""
    return not (value is None or isinstance(value, bool | int | float))


def _quoted(value: object) -> str:
    """A value on one line: the same as it is given, recorded and read back."""
    return _USUAL_ADDRESS if value is _USUAL_ADDRESS else json.dumps(value, default=_plain, sort_keys=True)


def _plain(value: object) -> object:
    return dict(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else str(value)


def _shown(variable: str) -> str:
    """The name of a variable; of one that is not set it may be the secret itself."""
    known = variable in ("", _PROVIDERS_OWN, USUAL_KEY) or variable in os.environ
    return variable if known else "a variable that is not set (not shown)"


def _content(effect: Effect, value: object, known: Mapping[str, str]) -> str:
    """The digest of what a setting names, if that is in files: of a program also of the scripts among its words."""
    if effect not in (Effect.RUNS, Effect.REACHES, Effect.IMPORTS, Effect.LOADS, Effect.VISITS):
        return ""
    if (name := Path(str(value)).name) in known:
        return known[name]
    words = [str(value), *(_words(str(value)) if effect in (Effect.RUNS, Effect.REACHES) else ())]
    if effect is Effect.IMPORTS:
        words = [str(value).rpartition(":")[0]]  # of FILE.py:F
    return " ".join(filter(None, (_digest(shutil.which(word) or word) for word in words)))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _digest(file: str) -> str:
    try:
        with open(file, "rb", opener=open_regular) as content:
            return "" if os.fstat(content.fileno()).st_size > _HASHED else file_digest(content, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def _changed(changes: Settings) -> Iterator[SideEffect]:
    """Of the settings of resumes; what one does that is not ours is not known here."""
    own = {f"{name}.{key}": effect for name, table in setting_tables().items() for key, effect in _effects(table)}
    for key, setting in changes.items():
        if not _has_text(setting.value):
            continue
        effect = own[key] if key in own else _effect_of_option(key)
        if effect is Effect.SENDS and isinstance(setting.value, str):
            yield SideEffect(effect, "", f"{setting.where}: {key}", setting.value)
        elif effect is not Effect.NONE:
            yield SideEffect(effect, _quoted(setting.value), f"{setting.where}: {key}")


def _effect_of_option(key: str) -> Effect:
    """What an option does that a resume changed, by the parts of its key: in whatever model it may be."""
    tables: list[type[BaseModel]] = [
        *setting_tables().values(),
        *(plugins.model_options(name) for name in catalogue.MODELS),
        *(plugins.model_options("", url="endpoint"), plugins.embedder_options("", "endpoint")),
    ]
    effects: dict[str, Effect] = {}
    for name, effect in (each for table in tables for each in _effects(table)):
        if effect is not Effect.NONE or name not in effects:
            effects[name] = effect
    found = [effects[part] for part in key.split(".") if part in effects] or [Effect.PASSES]
    return next((each for each in found if each is not Effect.NONE), Effect.NONE)


def _effects(table: type[BaseModel]) -> Iterator[tuple[str, Effect]]:
    return ((name, effect_of(field.metadata)) for name, field in table.model_fields.items())
