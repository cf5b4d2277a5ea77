"""Adapters between the kinds of worlds, which answer in the event loop, block, or are asynchronous.

The environment role calls only `AsyncWorld`s, and `as_async` makes one of any world. All code outside actors calls only
`World`s, and `as_sync` makes one of any world.
"""
