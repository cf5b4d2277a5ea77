"""How worlds of every kind are called.

The environment role calls a `CalledWorld`, whose calls are made in its event loop, in threads or in processes. All
other code calls a `World`, which `as_world` makes of any object that is one by its members.
"""
