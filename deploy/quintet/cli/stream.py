"""`stream`: tasks one after the other, each with what was learnt from those before, in one order or in several."""

from quintet.cli.flags import StreamFlags, Switch, Whole
from quintet.cli.run import start_run, start_study
from quintet.errors import UsageError
from quintet.studies.arms import prepare_arms, take_study_objects
from quintet.studies.stream_orders import STREAM, define_orders

_STREAM = StreamFlags()


def stream_command(
    method: str | None = None,
    environment: str | None = None,
    *,
    flags: StreamFlags = _STREAM,
    orders: Whole | None = None,
    no_picture: Switch = False,
) -> int:
    """Play a stream of tasks, in a new run folder, or in several orders, in a new study folder.

    Args:
        method: The method that plays them: `quintet list methods`.
        environment: `quintet list environments`. A file (--config) or variables may name both instead.
        orders: How many orders the tasks are played in, each in a run: that of --order and those after it.
        no_picture: With --orders, draw no picture.
    """
    if orders is None:
        return start_run(method, environment, flags)
    try:
        definition = define_orders(orders, flags.order or 0)
    except ValueError as error:
        raise UsageError(f"--orders: {error}") from error
    layers = [{**layer} for layer in flags.layers(method=method, environment=environment)]
    for layer in layers:
        layer.pop("run.order", None)
    definition, taken, objects = take_study_objects(definition, layers)
    refused: dict[str, str] | None = {} if flags.dry_run else None
    arms = prepare_arms(definition, taken, objects=objects, refused=refused)
    return start_study(definition, arms, flags, objects, name=STREAM, no_picture=no_picture, refused=refused)
