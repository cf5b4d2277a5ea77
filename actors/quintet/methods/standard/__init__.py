"""Standard: few-shot prompting, actions without thoughts."""
