"""TextCraft: craft a Minecraft item from a list of commands. Source: ADaPT (Prasad et al., 2023), section 4.1."""
