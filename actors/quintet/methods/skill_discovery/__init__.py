"""AdaPlanner's skill discovery: the programs that solved tasks, shown to those who plan later ones."""
