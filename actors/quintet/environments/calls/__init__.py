"""How a host calls a world: at once, in threads, in processes, or by awaiting its coroutines.

The environment role knows slow worlds only. `calls_to` in `calls` gives every world that face, and `plain` gives slow
ones the face of a `World`, for all that is no actor.
"""
