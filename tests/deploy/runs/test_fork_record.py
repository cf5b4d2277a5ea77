"""What a fork's record says of draws."""

from itertools import accumulate

import msgspec

from quintet.messages.continuations import Continuation
from quintet.runs.fork_record import MOST_DRAWS, StartConditions


def test_however_often_a_fork_is_forked_its_draws_differ_and_can_be_sent() -> None:
    def continued(begun: StartConditions, draw: int) -> StartConditions:
        return begun.continued(draw, {})

    first = StartConditions(world=0, epoch=0)
    for draws in ([1] * 9, [MOST_DRAWS] * 9):
        found = [each.draw for each in accumulate(draws, continued, initial=first)]
        assert len(set(found)) == 10
        for draw in found:
            sent = msgspec.msgpack.encode(Continuation(epoch=0, draw=draw))
            assert msgspec.msgpack.decode(sent, type=Continuation).draw == draw
