"""What a server answers, as text: of what is no text, a model reads its kind and size."""

from collections.abc import Iterable

import msgspec
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ReadResourceResult,
    Resource,
    ResourceLink,
    TextContent,
    TextResourceContents,
)


def result_text(result: CallToolResult) -> str:
    """The result of a call."""
    text = "\n".join(map(_block_text, result.content))
    if not text and result.structured_content is not None:
        text = msgspec.json.encode(result.structured_content).decode()
    text = text or "(an answer without content)"
    return f"Error: {text}" if result.is_error else text


def resource_text(result: ReadResourceResult) -> str:
    """The contents of a resource."""
    return "\n".join(map(_contents_text, result.contents)) or "(a resource without content)"


def resource_list(resources: Iterable[Resource]) -> str:
    """Resources that can be read, a line each."""
    return "\n".join(map(_resource_line, resources)) or "(no resources)"


def _block_text(block: ContentBlock) -> str:
    match block:
        case TextContent():
            return block.text
        case ImageContent():
            return _not_shown("an image", block.mime_type, block.data)
        case AudioContent():
            return _not_shown("a sound", block.mime_type, block.data)
        case ResourceLink():
            return f"(a resource: {_resource_line(block)})"
        case EmbeddedResource():
            return _contents_text(block.resource)


def _contents_text(contents: TextResourceContents | BlobResourceContents) -> str:
    if isinstance(contents, TextResourceContents):
        return f"{contents.uri}:\n{contents.text}"
    return f"{contents.uri}: {_not_shown('bytes', contents.mime_type, contents.blob)}"


def _not_shown(what: str, kind: str | None, base64: str) -> str:
    return f"({what} that cannot be shown: {kind or 'of no stated type'}, {len(base64.rstrip('=')) * 3 // 4:,} bytes)"


def _resource_line(resource: Resource) -> str:
    said = f": {' '.join(resource.description.split())}" if resource.description else ""
    return f"{resource.uri} ({resource.title or resource.name}){said}"
