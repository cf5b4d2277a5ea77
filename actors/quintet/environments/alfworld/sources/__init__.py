"""Where games come from: a user's files, or the generator; whether they can be played."""
