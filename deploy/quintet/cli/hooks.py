"""The hooks that the flags of a command ask for."""

from quintet.cli.flags import ResumeFlags
from quintet.errors import UsageError
from quintet.hooks.hook import Hook
from quintet.hooks.load import load_hooks
from quintet.hooks.spans import SpanHook


def hooks_of(flags: ResumeFlags) -> tuple[Hook, ...]:
    """The hooks, in the order of the flags; the one that sends spans comes last.

    Raises:
        UsageError: one cannot be found or made.
    """
    hooks = load_hooks(flags.hooks)
    if flags.otel is not None:
        return (*hooks, SpanHook.to_collector(flags.otel, content=flags.otel_content))
    if flags.otel_content:
        raise UsageError("--otel-content: expected --otel URL beside it, got none")
    return hooks
