"""The journal on disk: one SQLite file per run, one writer, any number of readers."""
