"""Parses reflections on a failed trial: text in; what to do differently next time, without labels and courtesies."""

from quintet.parsing.labelled import labelled_text

read_look_back = labelled_text(
    r"(?:self-)?reflections?|lessons?(?:[ \t]learn(?:ed|t))?|plan(?:[ \t]for[ \t]next[ \t]time)?",
    "reflection",
    "self_reflection",
    "lesson",
    "plan",
    "new_plan",
    "text",
    acts=True,
).read
