"""Plans: a version is a text that the executor sees before every task."""
