from gguf import GGUFReader, GGUFWriter

def copy_with_new_metadata(
    reader: GGUFReader, writer: GGUFWriter, new_metadata: dict[str, object], remove_metadata: list[str]
) -> None: ...
