"""Defects of hosts: what is done about lost messages and ended episodes."""

from typing import Any

from quintet.ports.transport import Answer, Ask, Failure
from quintet.roles.environment import Environment
from quintet.runtime.host import Host
from tests.soak.controls.control import Control, replaced


def _silently(original: Any) -> Any:
    def not_delivered(host: Host, to: Any, envelope: Any, lost: Any) -> None:
        if not isinstance(envelope, Answer | Failure):
            original(host, to, envelope, lost)

    return not_delivered


def _again(original: Any) -> Any:
    def not_delivered(host: Any, to: Any, envelope: Any, lost: Any) -> None:
        if isinstance(envelope, Ask) and to not in host.lost:
            host._send(to, envelope)
        else:
            original(host, to, envelope, lost)

    return not_delivered


def _nothing(_: Any) -> Any:
    def release(*_: Any) -> None: ...

    return release


MESSAGES = (
    Control(
        "a lost acknowledgement",
        "The loss of an answer is reported, so that its episode starts again.",
        lambda: replaced(Host, "_not_delivered", _silently),
    ),
    Control(
        "a request sent twice",
        "A request is delivered at most once.",
        lambda: replaced(Host, "_not_delivered", _again),
    ),
    Control(
        "a session left open",
        "An episode that is over holds no session.",
        lambda: replaced(Environment, "release", _nothing),
    ),
)
