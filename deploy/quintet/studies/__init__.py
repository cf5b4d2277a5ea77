"""Studies: several runs (arms) on the same tasks that answer one question. Each study is a TOML file.

Beside the arms lie their findings, and the rows of papers that runs repeat.
"""
