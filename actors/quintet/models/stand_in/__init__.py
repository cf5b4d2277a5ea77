"""The stand-in: an expert that errs. It needs no key and no network, and is no evidence about language models.

It takes the typed question beside the prompt, repeats in its own copy of the world what was done at the task, and
asks the copy's expert what it would do. Its answer follows from that by the question's form, and is written as text, so
that parsers, journal, tokens, budgets and prompts all run as with a language model. No line of it is about a world.

The rules, a sentence each:

- The way is what the expert advised, as long as it is followed; where something else was done, the expert is asked
  again.
- A goal that names actions of the way is a part of it, and reached once they were done; any other goal is the task's
  own.
- A slip takes what is asked about for done: an executor goes on with what comes after it, or claims that its goal is
  reached; a plan, a reflection and a summary leave it out; a judge says yes.
- A slip is drawn once, from the task, the thing and, above temperature 0, the seed; with the draw `goal` also from the
  words of the goal. So the same slip is made again, also after a refusal, and the world's answers do not correct it.
- The thing is the action that is right, without its numbers: to get two logs is to get three.
- What a prompt shows beside setting, goal and turns turns a slip off if it names the right action.
- Of a question about no session it knows no way: a plan is then its goal, and an executor says that the task failed.
- An action that the question says was tried is not taken again.
"""
