"""A small server of the Model Context Protocol, for docs/mcp.md: it keeps notes."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("notes", log_level="WARNING")
notes: list[str] = []


@server.tool()
def add_note(text: str, times: int = 1) -> str:
    """Write a note down."""
    notes.extend([text] * times)
    return f"{len(notes)} notes"


@server.tool()
def count_notes() -> int:
    """Count the notes."""
    return len(notes)


@server.resource("note://rules", description="How notes are to be written.")
def rules() -> str:
    return "One note for each thing."


if __name__ == "__main__":
    server.run()
