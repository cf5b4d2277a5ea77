"""The gateway of a run for other processes of its Ray cluster: a ref there asks through one of the run's hosts."""

import asyncio
import itertools
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast

import msgspec
from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.host_actor import HostHandle
from quintet.cluster.ray_api import in_thread, ray
from quintet.errors import HostLost, RunClosed, one_line
from quintet.messages.message import ReplyT, Request
from quintet.messages.visit import Visit, Visited, VisitFailed
from quintet.messages.wire import decode_reply, encode
from quintet.runtime.gateway import AcceptedRequests, refuse_other_request
from quintet.runtime.refs import Gateway, RefAnswer

_answers = msgspec.msgpack.Decoder(Visited | VisitFailed)


class RemoteGateway:
    """Asks through the hosts in turn. A request is sent once; one whose host dies meanwhile fails."""

    def __init__(self, namespace: str, accepted: AcceptedRequests) -> None:
        self._namespace = namespace
        self._accepted = accepted
        self._hosts: Mapping[str, HostHandle] = {}
        """Those that were found to live."""
        self._turns = itertools.count()

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        refuse_other_request(self._accepted, role, request)
        if not self._hosts:
            await self._find_hosts(role)
        names = list(self._hosts)
        name = names[next(self._turns) % len(names)]
        sent = self._hosts[name].visit.remote(encode(Visit(role=role, request=encode(request))))
        try:
            answered: bytes = await asyncio.wrap_future(sent.future())
        except asyncio.CancelledError:
            ray.cancel(sent)
            raise
        except ActorDiedError as died:
            await self._find_hosts(role)  # or the run was closed
            raise HostLost(f"{role}: host {name} died") from died
        except RayError as error:
            raise HostLost(f"{role}: host {name}: {one_line(error)}") from error
        answer = _answers.decode(answered)
        if isinstance(answer, VisitFailed):
            raise answer.fault.fault()
        reply = decode_reply(type(request), msgspec.Raw(answer.reply))
        return RefAnswer(reply, answer.path, answer.calls, answer.usage, answer.dollars, answer.seconds)

    async def _find_hosts(self, role: str) -> None:
        """Look up the hosts that live now, those that replaced dead ones too; a `RunClosed` if there is none."""
        self._hosts = {}
        found = await in_thread(partial(_named_in, self._namespace))
        living = await asyncio.gather(*map(_lives, found.values()))
        self._hosts = {name: host for (name, host), lives in zip(found.items(), living, strict=True) if lives}
        if not self._hosts:
            raise RunClosed(f"{role}: expected an open run, got one whose hosts are all gone")

    def remote_gateway(self) -> Gateway:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteGateway, (self._namespace, self._accepted)


def _named_in(namespace: str) -> dict[str, HostHandle]:
    found: dict[str, HostHandle] = {}
    for actor in ray.util.list_named_actors(all_namespaces=True):
        if actor["namespace"] == namespace:
            with suppress(ValueError):  # it ended meanwhile
                found[actor["name"]] = ray.get_actor(actor["name"], namespace=namespace)
    return found


async def _lives(host: HostHandle) -> bool:
    try:
        await cast("Any", host).__ray_ready__.remote()
    except RayError:
        return False
    return True
