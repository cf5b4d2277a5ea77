"""A change of one file, as a unified diff with one hunk, put into the file."""


def diff_path(diff: str) -> str:
    """The file that a diff changes; empty if it names none."""
    return next((line.removeprefix("+++ b/") for line in diff.splitlines() if line.startswith("+++ b/")), "")


def patched(content: str, diff: str) -> str | None:
    """The file after the change; None if the lines that it changes are not there once."""
    lines = [line for line in diff.splitlines() if not line.startswith(("--- ", "+++ ", "@@"))]
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "-"))
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "+"))
    return content.replace(old, new) if old and content.count(old) == 1 else None
