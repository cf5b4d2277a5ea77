"""The language models behind the model port."""
