"""What models write, read leniently: decisions, plans, reflections, and plans written anew."""
