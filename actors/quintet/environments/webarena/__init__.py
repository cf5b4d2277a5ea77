"""WebArena: tasks on websites, carried out in a real browser. Source: Zhou et al. (2024)."""
