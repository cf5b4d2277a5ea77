"""The simulated model: the embedded default, which needs no key and no network.

It is a player made of rules, not a language model: a stand-in, and no evidence about language models. Wherever its
results are shown, it is called simulated. It reads the prompt (the answer form that it prescribes, the world's texts,
the goal, the steps so far) and answers in that form. It knows a request by its form alone, never by the method that
asks, and no skill depends on how a goal is worded: a part of a plan is pursued as a whole task is, and a step that a
prompt singles out is a goal in its own words, for the executor as for the judge.

    strong         misreads nothing. It reads everything, follows recipes down to the end, and opens every door.
    weak           reads the last two steps of a conversation. In TextCraft it knows nothing of what it fetched or
                   crafted before; in ALFWorld nothing of what it holds, has done to it, or has searched before, except
                   that it goes on by number in a row of places; in HotpotQA nothing of the pages it read before. In
                   WebShop it compares no two products, since it forgets the first, and after two options it has
                   forgotten the others; on websites it knows the last two pages, so it clicks again what it clicked
                   before. It begins with wrong beliefs: in ALFWorld a toaster or a stove burner heats,
                   and what is to be heated or cooled is put into the appliance; in HotpotQA a description finds a page,
                   and an answer is a sentence; in WebShop options need not be chosen. Whatever it reads corrects them,
                   as long as it reads it.
    newcomer       strong, but without common sense of places: in ALFWorld it searches a room in the order in which the
                   room lists its places. A text that shows a thing of a kind in or on a place of a kind tells it where
                   such things are, whether that is a state that is recalled, a plan, a reflection, a worked example or
                   what it saw itself. On websites it does not know which menus lead where. The other worlds have no
                   places, so there it is the same as strong.
    fallible(e)    strong, but misreads: each question about one thing goes wrong with probability e.

What `fallible` misreads, in executor, planner and reflector alike:

    which command makes an item      it takes another listed command for it, or none
    what heats, cools or cleans      it takes another kind of place in the room for it
    where to look for an object      it passes over the place
    which name leads on              it opens the page of another name
    which sentence answers           it takes the answer from another sentence, or the opposite of two things
    whether the answer is found      it answers before it is found, or reads on
    whether a product fits           it takes one that fits for one that does not, or the reverse
    whether the price fits           likewise
    which option value is meant      it takes another value of the option
    which link leads on              it follows another one of the likeliest
    which value answers              it takes another value on the page, or none
    whether the goal is reached      it takes the goal for reached as soon as it holds or did anything, or does not
                                     see that it is reached; in WebShop a purchase is plain to see, and how well it
                                     fits is the question of whether the product does
    whether an action serves a step  it takes one that does for one that does not, or the reverse
    how far an attempt has come      it takes an item or a part of the goal for there that is not, or the reverse
    what a step of a job shows       looking back on a job, or summing up the past, it passes over the step
    the lesson of a job              rewriting a plan, it passes over the job
    the type of a text               it takes another type of those that there are
    where two processes part         it takes another step

Whether a question is misread, and how, is drawn from a hash of the words of the goal, the thing and, above temperature
0, the seed. So the same question in the same words goes wrong the same way every time, and in other words it is a new
draw. Lines of reflections on failed attempts are among the words of the questions whose things they name. That is an
assumption about models (`draws.py`), printed beside every figure that depends on it.

All levels read instructions, task, jobs and lessons in full; `window` limits only the steps of a conversation. A past
that is to be summed up is read in full as a job is, and so is a summary that stands in place of the turns: what it says
is believed as if it had been seen, and what it leaves out is not known. So a summary alone mends what `weak` forgets.
Recalled states are read as any other text is: they may correct a belief or show where things are, and say nothing about
the present. They look into the inventory only where a plan says so or an action did not go as expected. They look back
alike:

    summary   what was carried out, in steps, and how the job ended; not what was refused, and no reasons.
    flaws     what the world refused, with its reason; in TextCraft also what was fetched again and again although it
              was there; in HotpotQA an answer that is a sentence; in WebShop what a purchase lacks: an option, a low
              enough price, words of the goal. A thing that was not found is no flaw, and neither is anything of a
              purchase that earned all.
    revision  what was seen to work, else what is believed to come next. Nothing more than the job shows.
    look back what was refused or useless, what was seen to work, and what was left undone, a line each.
    update    the plan so far, corrected by what worked in jobs that succeeded, then by revisions. Without news, the
              plan stays as it is. Where a job failed and no reflection says why, one thing is changed at a guess,
              however right it was; in ALFWorld only by a reader with wrong beliefs.

Of a plan for one task they write:

    steps         in TextCraft everything to get, then every command; in ALFWorld what to take, treat and put; in
                  HotpotQA the pages of the names in the question, and what it says of them; in WebShop what to search
                  for, find and buy; on websites the page to find, then the task. Where the past shows where a thing
                  is, where it is not, or what was refused, the steps say or avoid it; in WebShop they begin after
                  what was found.
    alignment     the action and what was answered, word for word, and whether it serves the step: it got, made or did
                  what the step needs, or shows its thing, its place or a closed door, or products; not a place
                  searched in vain, nor a product that does not fit.
    verdict       whether what was done, without what was undone, reaches the goal, or the step as a goal.
    short forms   of an observation, without the things that the goal does not name, or the products whose titles show
                  least of it; nothing is noted down, since the sentences on what was done say all of it.

As a run's judge they write:

    grade         whether one of the two answers has the words of the other in a row, without articles.

For a memory they write:

    evaluation    the parts of the goal, and whether each is complete.
    summary       where the goal's things were seen, which places were searched, what was taken, made, treated or laid,
                  what is held, what was refused, and the last action; of pages the sentences of use, word for word; in
                  WebShop the searches, the likeliest products and what was read of those that were opened.
    types         as many as a list has areas (food, dishes; kitchen, bathroom; wood, stone; people, places; clothing,
                  home), about equal in size; of a new text, the type that is about the same kind of thing, or else
                  about the same area.
    comparison    the first action of the better process that the other one does not have in its place.

In HotpotQA it knows plain English and no fact: function words, endings, groups of words that mean about the same, and
the kind of answer that a question wants. It opens the pages of the names in a question, follows the names that stand
beside the question's words, and answers with the name, date, number or words beside those that are left. Of a question
that its rules do not reach, `strong` too makes the wrong thing; that is no misreading, and no draw changes it.

On websites it reads the tree of the page that is open: it answers with a value of the form that is asked for beside the
question's words, follows what shares words with the goal, types what the goal names or quotes into search fields and
forms, and stops. It reads on from where it is and never goes back, so a wrong first click costs the task, unless
somebody takes it back. It knows plain English, and where things usually are on websites, and no site or task.

An answer is a pure function of the messages and the sampling parameters. At temperature 0 the seed is ignored; above
it, the seed also picks among actions that could as well come first, and orders of plan steps. What is believed of the
world comes from observations alone, so with observations blanked no level succeeds, and none finds a flaw. A prompt
that no player understands is answered "I do not understand."

The kit, which knows no world:

    model.py       the model and its levels: recognizes the request, lets the first player answer that can
    requests.py    which request a prompt makes, by the form of its answer
    transcript.py  the task, its goal, the steps since, and the plan to follow
    options.py     attempts side by side, to choose from
    hindsight.py   past jobs: the one to reflect on, lessons, and the habits that a plan learns from them
    pursuit.py     a plan for one task, its step to do now, and what was done so far, a sentence an action
    player.py      what a player is: one answerer for each request
    steps.py       the part of a player that plans one task and judges its steps
    memory.py      the part of a player that writes and reads what a memory holds
    recollection.py, sorting.py, comparison.py
                   what a prompt recalls; types of texts; where two processes part
    grading.py     two answers to one question, compared by their words
    mind.py        a skill, and the draws of one call
    draws.py       chance (temperature and seed) and misreading
    styles.py      the same answers in the forms in which language models write (`model.style`)

A world is a folder with a player: how it reads the world's task and one step (`task.py`), what follows from the steps
(`belief.py`, `picture.py`, `pages.py`), how far they have come (`progress.py`), and one method a request (`player.py`;
looking back in `hindsight.py`, the past in sentences in `memory.py`, the steps of one task's plan in `steps.py`). To
add a world, implement `Player` and name it in `model.PLAYERS`.
"""
