"""The journal on disk: one SQLite file a run, with one writer and any number of readers."""
