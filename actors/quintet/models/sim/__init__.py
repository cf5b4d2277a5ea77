"""The simulated model: the embedded default, which needs no key and no network.

It is no language model but a player made of rules, and no evidence about language models. It reads the prompt (the
answer form that the instructions prescribe, the world's texts, the goal, the steps so far) and answers in that form. It
knows a request by its form alone, never by the method that asks, and no skill depends on how a goal is worded: a part
of a plan is pursued as a whole task is. Wherever its results are shown, it is called simulated.

    strong         errs never. It reads everything, follows recipes down to the end, and opens every door.
    weak           reads the last two steps of a conversation. In TextCraft it knows nothing of what it fetched or
                   crafted before; in ALFWorld nothing of what it holds, has done to it, or has searched before, except
                   that it goes on by number in a row of places. In ALFWorld it begins with wrong beliefs (see below).
    fallible(e)    strong, but misreads: each question about one thing goes wrong with probability e.

What `fallible` misreads, in executor, planner and reflector alike:

    which command makes an item      it takes another listed command for it, or none
    what heats, cools or cleans      it takes another kind of place in the room for it
    where to look for an object      it passes over the place
    whether the goal is reached      it takes the goal for reached as soon as it holds or did anything, or does not
                                     see that it is reached
    what a step of a job shows       looking back on a job, it passes over the step
    what a job taught                rewriting a plan, it passes over the job

Whether a question is misread, and how, is drawn from a hash of the words of the goal, the thing and, above temperature
0, the seed. So the same question in the same words goes wrong the same way every time, and in other words it is a new
draw. That is an assumption about models (`misreading.py`), printed beside every figure that it makes.

All levels read the instructions and the task in full, what the task says of the inventory or of the last action
included. They look into the inventory only where a plan says so or something did not go as it should.

In ALFWorld `weak` begins with wrong beliefs: a toaster or a stove burner heats, and what is to be heated or cooled is
put into the appliance. Whatever it reads corrects them, as long as it reads it: instructions, worked examples, a plan,
the goal, the world's own answers. Where things are likely to be found is common sense, the same at all levels.

All levels read a job that is looked back on, and what jobs taught, in full; only `fallible` passes over parts of it:

    summary   what was carried out, in steps, and how it came out; not what was refused, and no reasons.
    flaws     what the world refused, with the reason it gave; in TextCraft also what was fetched again and again
              though it was there. That a thing was not found is no flaw.
    revision  what was seen to work, else what is believed to come next; what has to stay in hand; in TextCraft, that
              one looks what one holds. Nothing more than the job tells.
    update    the plan so far, with what lessons say put in its place: what was seen to work in jobs that succeeded,
              then revisions, then what the plan says. Nothing new leaves the plan as it is. Where a job failed and
              nobody says why, one thing is taken for the reason at a guess, and changed, however right it was. In
              ALFWorld only a reader with wrong beliefs does so; in TextCraft, where a habit is changed, all do.

An answer is a pure function of the messages and the sampling parameters. At temperature 0 the seed is ignored; above
it, the seed also picks among actions that could as well come first, and orders of plan steps. What is believed of the
world comes from observations alone, so with observations blanked no level gets anywhere, and none finds a flaw. A
prompt that no reader makes sense of is answered "I do not understand."

    skills.py      the levels
    model.py       the model: asks one reader after the other
    reader.py      what a reader is; there is one for each world, in a folder of its name
    misreading.py  which questions are misread
    asked.py       whether instructions ask for an action or for a plan
    request.py     what else a conversation may end with: a thought, an action, a look back, a plan to be rewritten
    turns.py       the conversation since the task was posed
    thinking.py    a thought apart, and the action that follows from it
    plans.py       the plan for jobs of a kind that a prompt gives
    hindsight.py   a job that is looked back on, and what jobs taught
    chance.py      variation by temperature and seed
    styles.py      the same answers in the forms in which language models write (`model.style`)
    textcraft/     the reader of TextCraft
    alfworld/      the reader of ALFWorld: goal, task, picture (what observations told), beliefs and what corrects them,
                   likely (common sense of places), mind (all of it together), searching, handling, executor, planner

Both worlds have misreading, following (at which step of a plan one is), formalizing, reflecting and revising.
"""
