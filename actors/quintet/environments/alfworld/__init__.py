"""ALFWorld: tasks of a household, in text. Source: Shridhar et al. (2021), and the released engine for the texts."""
