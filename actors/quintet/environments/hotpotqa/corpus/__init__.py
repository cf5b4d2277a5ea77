"""A corpus of pages in one SQLite file: how it is read and how it is built."""
