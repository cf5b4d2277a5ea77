"""Studies: several runs (arms) on the same tasks that answer one question. Each study is a TOML file."""
