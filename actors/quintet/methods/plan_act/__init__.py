"""Plan+Act: a plan, one action after the other, and plan revision; nothing is gone back on."""
