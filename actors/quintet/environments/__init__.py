"""The worlds behind the environment role, a folder each; their data commands, and their Gymnasium environments."""
