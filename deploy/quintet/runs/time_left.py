"""How long a run still takes, and how a span of time is written."""


def seconds_left(left: int, ended: int, seconds: float) -> float | None:
    """How long a run still takes, if it goes on as fast as before.

    Args:
        left: episodes that have not ended.
        ended: episodes that ended within `seconds`.
        seconds: how long it has run.

    Returns:
        Seconds; None if no episode has ended.
    """
    return left * seconds / ended if ended and seconds > 0 else None


def duration(seconds: float) -> str:
    """`12 s`, `3:05 min`, `2:10 h` or `4 days`: two units at most, rounded."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    minutes = round(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02d} h" if minutes < 48 * 60 else f"{round(minutes / 1440)} days"
