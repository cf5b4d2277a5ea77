"""ReasoningBank: notes from successes and failures that a model judges, and several attempts at a task contrasted."""
