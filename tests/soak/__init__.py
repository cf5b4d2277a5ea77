"""The soak: many scenarios with faults, each held to what an undisturbed run gives. `make soak` runs it.

Each kind of scenario is a package, listed in `kinds`. Of `schedules` a night plays many more (`python -m
tests.soak.schedules`), and they must find the broken runtimes of `controls` (`python -m tests.soak.controls`).
"""
