"""Ends of a task that are made up: an answer in both forms, what was sent, and the page that the session ended on.

Where one evaluation does not say what the other would see, the end is kind to both: once the requests that the package
looks for were sent, pages hold what the released checks look for, and the session is on their page.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from quintet.environments.webarena.addresses import PUBLIC_ADDRESSES, SiteAddresses
from quintet.environments.webarena.evaluators.compare import ALTERNATIVES
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, WebTask
from quintet.environments.webarena.verified.package import ExpectedAnswer, VerifiedCheck, VerifiedRecord

ADDRESSES = SiteAddresses(PUBLIC_ADDRESSES)

EndName: TypeAlias = Literal["as verified asks", "as released asks", "given up", "nothing done"]


class End(Struct, frozen=True, kw_only=True):
    """How a session ended."""

    text: str
    """The answer as it is told to the released evaluators."""
    answer: Mapping[str, Any]
    """The same as it is told to the package's."""
    trace: Sequence[Mapping[str, Any]]
    last_url: str
    done: bool
    """Whether pages hold what the released checks look for."""


def ends(task: WebTask, record: VerifiedRecord) -> Iterator[tuple[EndName, End]]:
    """The four ends of a task; its released form and its verified one.

    The second and the third are told in the task's own type and in the status that the package asks for, which nothing
    in the released task says.
    """
    asked = record.answer
    status = asked.status if asked.status != "SUCCESS" else "NOT_FOUND_ERROR"
    items = [_first(item) for item in asked.retrieved_data or ()]
    start = _page(ADDRESSES.starts(task.start_url)[-1])
    sent = [request(check) for check in record.eval if is_request(check)]
    trace = [start, *sent]
    impossible = asked.status != "SUCCESS"
    references = _reference_urls(task)
    led = [_page(url) for url in references[:1]]
    says_page = any(each["request"]["method"] == "GET" for each in sent)
    yield (
        "as verified asks",
        End(
            text=NOT_ACHIEVABLE if impossible else as_text(items),
            answer=_answer(asked, asked.status, items or None),
            trace=trace,
            last_url=_last_page(trace) if says_page or not led else references[0],
            done=True,
        ),
    )
    text, parts = _released_answer(task)
    pages = [start] if led and says_page else trace
    yield (
        "as released asks",
        End(
            text=text,
            answer=_answer(asked, status if text == NOT_ACHIEVABLE else "SUCCESS", parts or None),
            trace=[*pages, *led],
            last_url=_last_page([*pages, *led]),
            done=True,
        ),
    )
    gave_up = _answer(asked, status, None)
    yield "given up", End(text=NOT_ACHIEVABLE, answer=gave_up, trace=[start], last_url=_last_page([start]), done=False)
    claimed = _answer(asked, "SUCCESS", ["done"] if asked.task_type == "retrieve" else None)
    yield "nothing done", End(text="done", answer=claimed, trace=[start], last_url=_last_page([start]), done=False)


def _answer(asked: ExpectedAnswer, status: str, items: list[Any] | None) -> dict[str, Any]:
    return {"task_type": asked.task_type.upper(), "status": status, "retrieved_data": items}


def _released_answer(task: WebTask) -> tuple[str, list[str]]:
    """The reference as an agent would say it, and its parts."""
    references = task.eval.reference_answers
    if references is None:
        return "", []
    if references.fuzzy_match == NOT_ACHIEVABLE:
        return NOT_ACHIEVABLE, []
    exact = () if references.exact_match is None else (references.exact_match,)
    parts = [*exact] or [*(references.must_include or ()), *(references.fuzzy_match or ())]
    return ", ".join(parts), parts


def _reference_urls(task: WebTask) -> list[str]:
    if "url_match" not in task.eval.eval_types:
        return []
    return ADDRESSES.expand(task.eval.reference_url or "").split(ALTERNATIVES)


def as_text(items: Sequence[Any]) -> str:
    """What a task asks for, as an agent would say it."""
    return ", ".join(map(_item_text, items))


def _item_text(item: Any) -> str:
    return " ".join(map(str, cast("dict[str, Any]", item).values())) if isinstance(item, dict) else str(item)


def _first(item: Any) -> Any:
    if not isinstance(item, list):
        return item
    alternatives: list[Any] = [*item]  # pyright knows nothing of what is in it
    return alternatives[0]


def is_request(check: VerifiedCheck) -> bool:
    """Whether a check asks for a request that was sent."""
    return check.evaluator == "NetworkEventEvaluator" and not check.should_not_exist


def _last_page(trace: Sequence[Mapping[str, Any]]) -> str:
    """The page that was loaded last."""
    return next(str(each["request"]["url"]) for each in reversed(trace) if each["request"]["method"] == "GET")


def _page(url: str) -> dict[str, Any]:
    return _entry(url, "GET", 200)


def _entry(url: str, method: str, status: int) -> dict[str, Any]:
    headers = [{"name": "Accept", "value": "text/html"}]
    return {
        "request": {"url": url, "method": method, "headers": headers},
        "response": {"status": status, "headers": [], "cookies": [], "redirectURL": ""},
    }


def request(check: VerifiedCheck) -> dict[str, Any]:
    """A request that has all that a check asks for."""
    asked = check.expected
    url = ADDRESSES.expand(_sample(_first(asked["url"])))
    pairs = [(name, _sample(_first(value))) for name, value in asked.get("query_params", {}).items()]
    if pairs:
        url += ("&" if "?" in url else "?") + urlencode(pairs)
    made = _entry(
        quote(url, safe="%/:?&=#+;,@!$'()*[]"), asked.get("http_method", "GET"), asked.get("response_status", 200)
    )
    for name, value in asked.get("headers", {}).items():
        made["request"]["headers"].append({"name": name, "value": ADDRESSES.expand(_sample(_first(value)))})
    if "post_data" in asked:
        made["request"]["postData"] = _json(asked["post_data"])
    if "response_content" in asked:
        made["response"]["content"] = _json(asked["response_content"])
    for name, value in asked.get("response_cookies", {}).items():
        made["response"]["cookies"].append({"name": name, "value": quote(_sample(value))})
    return made


def _json(asked: Mapping[str, Any]) -> dict[str, str]:
    """What has these values, each at its place: a name, or a path of JSON from `$.` on."""
    made: dict[str, Any] = {}
    for key, value in asked.items():
        if value is None:
            continue  # it must not be there
        sampled = _sampled(value)
        if not key.startswith("$."):
            made[key] = sampled
            continue
        _place(made, re.findall(r"\^?[\w|^$\-]+|\[\d+\]", key[2:]), sampled)
    return {"mimeType": "application/json", "text": msgspec.json.encode(made or {"other": "1"}).decode()}


def _place(made: dict[str, Any], steps: Sequence[str], value: Any) -> None:
    at: Any = made
    for step, following in zip(steps, [*steps[1:], ""], strict=True):
        name: Any = int(step[1:-1]) if step.startswith("[") else step.strip("^$").split("|")[0]
        inner: Any = value if not following else ([] if following.startswith("[") else {})
        if step.startswith("["):
            at.extend([{}] * (name + 1 - len(at)))
            at[name] = at[name] or inner
        else:
            at[name] = inner if not following else at.get(name, inner)
        at = at[name]


def _sampled(value: Any) -> Any:
    return ADDRESSES.expand(_sample(value)) if isinstance(value, str) else value


def _sample(text: str) -> str:
    r"""A text that a pattern fits, `^...\d+.*$`; any other text as it is."""
    if not (text.startswith("^") and text.endswith("$")):
        return text
    text = re.sub(r"\(\?=\.\*([^)]*)\)", r"\1 ", text[1:-1])
    text = re.sub(r"\((?:\?:)?([^()|]*)\|[^()]*\)", r"\1", text)
    text = f"{ADDRESSES.bases['map']}{text[2:]}" if text.startswith(".*/") else text
    anything = "x" if "/" in text and " " not in text else " "
    said_for = {r"\d+": "7", r"\s+": " ", r"\s*": "", r"[a-z0-9-]*": "x", ".*": anything, "?": ""}
    for pattern, said in said_for.items():
        text = text.replace(pattern, said)
    return re.sub(r"\\(.)", r"\1", text)
