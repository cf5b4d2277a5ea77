"""The door of a run for other processes of its Ray cluster: a ref there asks through one of the run's hosts."""

import asyncio
import itertools
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.host_actor import HostHandle
from quintet.cluster.ray_api import ray
from quintet.errors import HostLost, RunClosed, one_line
from quintet.messages.message import ReplyT, Request
from quintet.messages.visit import Visit, Visited, VisitFailed
from quintet.messages.wire import decode_reply, encode
from quintet.ports.transport import HostName
from quintet.runtime.door import Accepted, refuse_other
from quintet.runtime.refs import Door, RefAnswer

_answers = msgspec.msgpack.Decoder(Visited | VisitFailed)


class RemoteDoor:
    """Asks through the hosts in turn. A request is sent once; one whose host dies meanwhile fails.

    Args:
        hosts: of the run.
        accepted: by role, the names of the requests that it answers.
    """

    def __init__(self, hosts: Mapping[HostName, HostHandle], accepted: Accepted) -> None:
        self._hosts = dict(hosts)
        self._accepted = accepted
        self._turns = itertools.count()

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        refuse_other(self._accepted, role, request)
        names = list(self._hosts)
        if not names:
            raise _gone(role)
        name = names[next(self._turns) % len(names)]
        sent = self._hosts[name].visit.remote(encode(Visit(role=role, request=encode(request))))
        try:
            answered: bytes = await asyncio.wrap_future(sent.future())
        except asyncio.CancelledError:
            ray.cancel(sent)
            raise
        except ActorDiedError as died:
            await self._forget_dead()
            raise HostLost(f"{role}: host {name} died") if self._hosts else _gone(role) from died
        except RayError as error:
            raise HostLost(f"{role}: host {name}: {one_line(error)}") from error
        answer = _answers.decode(answered)
        if isinstance(answer, VisitFailed):
            raise answer.fault.fault()
        reply = decode_reply(type(request), msgspec.Raw(answer.reply))
        return RefAnswer(reply, answer.path, answer.calls, answer.usage, answer.dollars, answer.seconds)

    async def _forget_dead(self) -> None:
        """A run that was closed has killed all its hosts."""
        for name, host in list(self._hosts.items()):
            try:
                await cast("Any", host).__ray_ready__.remote()
            except RayError:
                self._hosts.pop(name, None)

    def abroad(self) -> Door:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteDoor, (self._hosts, self._accepted)


def _gone(role: str) -> RunClosed:
    return RunClosed(f"{role}: expected an open run, got one whose hosts are all gone")
