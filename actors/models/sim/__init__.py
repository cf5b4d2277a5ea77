"""The simulated model: the embedded default, which needs no key and no network.

It is no language model but a player made of rules: it reads the prompt as a person would (what the instructions ask
to be answered with, what there is in the world, the goal, what is said to be held, the steps so far) and says what it
would do next, or which steps it would plan. It is called simulated wherever its results are shown.

Levels of skill, each weak by one mechanism, the same under every method:

    weak      reads only the last two steps of a conversation. In TextCraft it knows nothing of what it fetched or
              crafted before; in ALFWorld nothing of what it holds, has done to it, or has searched before, except that
              it goes on by number in a row of places.
    shallow   looks one step deep. In TextCraft it takes every ingredient of its goal for something that can be
              fetched; in ALFWorld it opens nothing to look inside, unless its goal names the place.
    strong    has no weakness: it reads everything, follows recipes as far down as they go, and opens every door.

All levels read the instructions and the task in full, what the task says of the inventory or of the last action
included, and plan alike: a plan rests on the task alone and on one recipe, so neither weakness touches it. They look
into the inventory of their own accord only where a task is to start from it without stating it, or where something did
not go as it should.

Beliefs about how things work are another matter than memory. In ALFWorld, weak and shallow begin with the papers' wrong
ones: a toaster or a stove burner heats, and what is to be heated or cooled is put into the appliance. Whatever they
read corrects them, and as long as they read it: instructions, worked examples, a plan, the goal, the world's own
answers. So with our demonstrations, all of which heat with a microwave or heat nothing, it costs them little; without
any, it costs weak every such task. Where things are likely to be found is common sense, the same at all levels.

A job that is looked back on, and what jobs taught, are read in full by all levels: such a text lies before the reader
from beginning to end, like a task, and is no conversation of its own whose beginning could be forgotten. So who acts
by two steps may well see afterwards that it fetched the same thing five times. What is made of it rests on beliefs:

    summary   what was carried out, in steps, and how it came out; not what was refused, and no reasons.
    flaws     what the world refused, with the reason it gave; in TextCraft also what was fetched again and again
              though it was there. That a thing was not found is no flaw.
    revision  what was seen to work, else what is believed to come next; what has to stay in hand; in TextCraft, that
              one looks what one holds. Nothing more than the job tells.
    update    the plan so far, with what lessons say put in its place: what was seen to work in jobs that succeeded,
              then revisions, then what the plan says. Nothing new leaves the plan as it is. Where a job failed and
              nobody says why, one thing is taken for the reason at a guess, and changed, however right it was. In
              ALFWorld only the misled levels do so, since who has no wrong beliefs has nothing else to suppose; in
              TextCraft, where what may be changed is a habit, all do.

So a plan helps a level only by what it says, as any text would: in ALFWorld it corrects beliefs, treatment by
treatment, in TextCraft a plan that says to look into the inventory is followed where what is read does not tell what
is held. Where beliefs leave several appliances to try, which comes first varies at a temperature above 0 as everything
does, until a text says which one works. Where thought and action are asked for apart, the action follows from the
thought, and nobody says that a task is completed or failed unless instructions offer to.

An answer is a pure function of the messages and the sampling parameters. At temperature 0 the seed is ignored; above
it, the seed picks among actions that could as well come first, and orders of plan steps. A guess falls differently for
different messages at any temperature. What is believed of the world comes from observations alone, so with observations
blanked no level gets anywhere, and none finds a flaw. A prompt that no reader makes sense of is answered "I do not
understand."

    skills.py     the levels
    model.py      the model: asks one reader after the other
    reader.py     what a reader is; there is one for each world, in a folder of its name
    asked.py      whether instructions ask for an action or for a plan
    request.py    what else a conversation may end with: a thought, an action, a look back, a plan to be rewritten
    turns.py      the conversation since the task was posed
    thinking.py   a thought apart, and the action that follows from it
    plans.py      the plan for jobs of a kind that a prompt gives
    hindsight.py  a job that is looked back on, and what jobs taught
    chance.py     variation by temperature and seed
    styles.py     the same answers in the forms in which language models write (`model.style`)
    textcraft/    the reader of TextCraft
    alfworld/     the reader of ALFWorld: goal, task, picture (what observations told), beliefs and what corrects them,
                  likely (common sense of places), mind (all of it together), searching, handling, executor, planner

Both worlds have following (at which step of a plan one is), formalizing, reflecting and revising (see above).
"""
