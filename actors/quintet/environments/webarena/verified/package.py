"""What is taken of the package `webarena-verified`: its 812 tasks, the released ones, and its evaluators."""

import logging
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.plugins.extras import require_modules
from quintet.plugins.files import read_limited

_PACKAGE: Final = "webarena_verified"
_NEEDS: Final = (
    *(_PACKAGE, "bs4", "compact_json", "dateutil", "geopy", "jsonpath_ng", "pint", "price_parser", "pydantic"),
    *("pytimeparse2", "scourgify", "thefuzz", "unidecode", "url_normalize", "us", "word2number"),
)
_INSTALL: Final = (
    "pip install --no-deps webarena-verified && pip install beautifulsoup4 compact-json geopy jsonpath-ng "
    "'pint<0.26' price-parser pydantic python-dateutil pytimeparse2 thefuzz unidecode url-normalize us "
    "usaddress-scourgify word2number"
)
"""What it needs may have any version: for the exact ones that it asks for pip would replace later ones of others."""
_LARGEST: Final = 2**26
"""Bytes of a file; the largest has less than 2**20."""

VerifiedType: TypeAlias = Literal["retrieve", "navigate", "mutate"]


class ExpectedAnswer(Struct, frozen=True):
    """What a task's answer must say."""

    task_type: VerifiedType
    status: str
    retrieved_data: list[Any] | None = None
    """A list in the place of an item has its alternatives."""


class VerifiedCheck(Struct, frozen=True):
    """One evaluator of a task: of its answer, or of a request."""

    evaluator: Literal["AgentResponseEvaluator", "NetworkEventEvaluator"]
    expected: dict[str, Any]
    should_not_exist: bool = False
    last_event_only: bool = True


class VerifiedRecord(Struct, frozen=True):
    """A task as the package's data has it."""

    sites: tuple[SiteName, ...]
    task_id: int
    intent_template_id: int
    start_urls: tuple[str, ...]
    intent: str
    intent_template: str
    instantiation_dict: dict[str, Any]
    eval: tuple[VerifiedCheck, ...]

    @property
    def answer(self) -> ExpectedAnswer:
        (found,) = (check for check in self.eval if check.evaluator == "AgentResponseEvaluator")
        return msgspec.convert(found.expected, ExpectedAnswer)


def verified_version() -> str:
    """The version of the installed package.

    Raises:
        PackageMissing: it or one that it needs is not installed; the text has the command that installs all.
    """
    require_modules(_NEEDS, _INSTALL, "webarena")
    return version("webarena-verified")


def released_file() -> Path:
    """The released 812 tasks, in the official schema."""
    return _dataset("test.raw.json")


@cache
def verified_records() -> Mapping[int, VerifiedRecord]:
    """The verified tasks by their ids, which are the released ones."""
    records = msgspec.json.decode(_read("webarena-verified.json"), type=tuple[VerifiedRecord, ...])
    return {record.task_id: record for record in records}


def hard_ids() -> tuple[int, ...]:
    """The 258 tasks that the package calls hard."""
    return msgspec.json.decode(_read("subsets/webarena-verified-hard.json"), type=_Subset).task_ids


class EvaluatorResult(Struct, frozen=True):
    """What one of the package's evaluators says."""

    evaluator: str
    status: str
    """`success`, `failure` or `error`."""

    @property
    def holds(self) -> bool:
        return self.status == "success"


def evaluate_verified(
    task_id: int, answer: Any, trace: Sequence[Mapping[str, Any]], addresses: SiteAddresses
) -> tuple[EvaluatorResult, ...]:
    """What the package's evaluators of a task say, in order; at least one that does not hold: no success.

    Args:
        answer: JSON, as a text or decoded.
        trace: entries of a HAR, in the order of their requests; at least one.
        addresses: where the task's sites are.
    """
    found = _evaluator(tuple(sorted(addresses.bases.items()))).evaluate_task(
        task_id=task_id, agent_response=answer, network_trace=list(trace)
    )
    if found.error_msg:
        return (EvaluatorResult("", "error"),)
    return tuple(EvaluatorResult(each.evaluator_name, str(each.status)) for each in found.evaluators_results)


class _Subset(Struct, frozen=True):
    task_ids: tuple[int, ...]


def _read(file: str) -> bytes:
    return read_limited(_dataset(file), _LARGEST)


def _dataset(file: str) -> Path:
    package = find_spec(_PACKAGE)  # importing it takes a second
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "assets" / "dataset" / file


@cache
def _evaluator(bases: tuple[tuple[SiteName, str], ...]) -> Any:
    with warnings.catch_warnings():
        # Of modules that it imports, written for older Pythons.
        warnings.simplefilter("ignore")
        api: Any = import_module(f"{_PACKAGE}.api")
        types: Any = import_module(f"{_PACKAGE}.types.config")
    # What it logs of an answer that holds nothing is no error of ours; its result says it.
    logging.getLogger(_PACKAGE).addHandler(logging.NullHandler())
    logging.getLogger("WebArena-Verified").addHandler(logging.NullHandler())
    sites = {name: {"urls": [base]} for name, base in bases}
    return api.WebArenaVerified(config=types.WebArenaVerifiedConfig(environments=sites))
