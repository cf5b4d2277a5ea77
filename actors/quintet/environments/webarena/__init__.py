"""WebArena: tasks on web sites, in a real browser. Source: Zhou et al. (2024)."""
