"""The simulated player of TextCraft."""
