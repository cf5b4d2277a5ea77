"""The commands: the module and the help of each. A module is imported when its command is called."""

from collections.abc import Sequence
from contextvars import ContextVar
from importlib.metadata import version

from cyclopts import App

COMMAND_LINE: ContextVar[Sequence[str]] = ContextVar("COMMAND_LINE")
"""The words of the command that this process carries out."""

app = App(
    name="quintet",
    help="Evaluate language-model agents that plan, act and reflect.",
    version=lambda: version("quintet-agents"),
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)

_COMMANDS = {
    "eval": ("run:eval_command", "Evaluate a method in an environment."),
    "optimize": ("run:optimize_command", "Let a method learn in an environment, and measure what it learns."),
    "stream": (
        "stream:stream_command",
        "Play tasks one after the other, each with what was learnt from those before, and report success along them.",
    ),
    "resume": (
        "resume:resume_command",
        "Continue an interrupted run or study, if you like with other settings that cannot change its results.",
    ),
    "fork": (
        "fork:fork_command",
        "Go on from any place of recorded episodes, in a run of its own, if you like with something changed there.",
    ),
    "study": ("run:study_command", "Run the arms of a study and compare them; flags apply to all arms."),
    "reproduce": (
        "reproduce:reproduce_command",
        "Repeat a table or figure of a paper with its settings, after saying what that can cost at most.",
    ),
    "compare": (
        "compare:compare_command",
        """Compare methods on the same tasks under one budget for each episode, or runs that exist.

        quintet compare METHODS... ENVIRONMENT runs a study: success against costs, paired tests against the first.

        quintet compare RUN RUN... compares runs on the same tasks, in the same worlds.
        """,
    ),
    "rescore": (
        "rescore:rescore_command",
        "Score the stored episodes of a run anew, by a model or by a function of yours, without playing them.",
    ),
    "ls": ("ls:ls_command", "List the runs and studies here: state, progress, spend and time left."),
    "show": (
        "show:show_command",
        "Show a run's episodes, an episode's conversation or search trees, or one model call of it.",
    ),
    "view": ("view:view_command", "Look at runs in a browser, also while they run; or write them into one HTML file."),
    "blame": (
        "blame:blame_command",
        "Find the step of each unsolved episode at which the chance of success fell, by continuations of it.",
    ),
    "report": ("report:report_command", "Report success, differences and costs of runs and studies."),
    "export": (
        "export:export_command",
        "Write a run for other tools: as Parquet tables, logs for inspect view, ATIF or spans (docs/export.md).",
    ),
    "import": (
        "import_run:import_command",
        "Make a run of ATIF trajectories, ours or other tools', for reports and learners (docs/trajectories.md).",
    ),
    "ctl": ("control:ctl_command", "Look at a run that is running, and control it."),
    "doctor": ("doctor:doctor_command", "Say what works on this machine, and what a run would lack."),
    "list": ("list:list_command", "List methods, environments, models or studies, with the options of each."),
    "new": (
        "new:new_command",
        "Write a package with a method, an environment, a role or a model that works, to begin from.",
    ),
    "check": (
        "check:check_command",
        """Check a plug-in, or one of ours, against the contract of its kind, clause by clause.

        Needs the extra: pip install 'quintet-agents[testing]'.
        """,
    ),
    "serve-sim": (
        "serve_sim:serve_sim_command",
        """Serve a simulated model over HTTP, as OpenAI's chat completions, until it is interrupted.

        Clients take the base URL that is printed, and any key.
        """,
    ),
    "serve-world": (
        "serve_world:serve_world_command",
        """Serve worlds over OpenEnv's protocol, many sessions in this process, until it is interrupted.

        Clients take the address that is printed as their base URL, with a world's name behind it.
        """,
    ),
    "serve-roles": (
        "serve_roles:serve_roles_command",
        """Serve the roles of a run to other agents, as tools of the Model Context Protocol.

        quintet serve-roles RUN opens a run's folder again.

        quintet serve-roles METHOD ENVIRONMENT begins a run, under the flags of eval.

        Needs the extra: pip install 'quintet-agents[mcp]'.
        """,
    ),
    "read": (
        "read:read_completions_command",
        """Read completions and print how each is understood, one JSON line for each, to tune prompts.

        A line of standard input is {"text": "..."}. It may say how the completion ended: {"text": "...", "finish":
        "length"} was cut off. Other fields are ignored. A line of another form ends the command with its number and
        exit code 2.

        decision: {"action": "go to desk 1"}, {"claim": true} (completed) or false (failed), or {"unreadable": WHY}.

        plan: {"plan": TREE, "notes": [...]}. TREE is the text of a step, {"all": [TREE, ...]} or {"any": [TREE, ...]};
        null where there is no plan.

        reflection: {"reflection": TEXT, "notes": [...]}. TEXT is a summary, flaws or a suggested revision, without its
        label; null where nothing is left. The notes name further parts under labels of their own.

        revision: {"revision": TEXT, "unchanged": false, "notes": [...]}. TEXT is a new plan for all tasks; null where
        there is none. "unchanged" is true if the answer says that the plan stays as it is.

        look_back: {"look_back": TEXT, "notes": [...]}. TEXT is what to do differently next time; null where there is
        none.

        mark: {"mark": 7.0, "notes": [...]}, a number from 1 to 10; null where there is none.

        choice: {"choice": 2, "notes": [...]}, the number of an option; null where there is none.

        steps: {"steps": [TEXT, ...], "notes": [...]}, a plan without an order; null where there is none.

        alignment: {"description": TEXT, "aligned": true, "notes": [...]}, what an action did and whether it serves its
        step; null for what is not said.

        verdict: {"completed": true, "notes": [...]}; null where the answer says neither or both.

        condensed: {"condensed": TEXT, "notes": [...]}, an observation in short; null where there is none.

        retargeted: {"retargeted": "click [27]", "notes": [...]}, an action in other words; null where there is none.
        """,
    ),
    "schema": (
        "list:schema_command",
        "Print the JSON Schema of all messages and journal events.",
    ),
    "data": ("data:data", "Make and check the files of an environment."),
    "record": ("data:record", "Keep what an environment's sessions show, to be served again."),
    "prompts": ("prompts:prompts", "List a method's prompts, copy them, compare yours, and optimise them."),
    "memory": ("memory:memory", "Look at memories and notebooks, search and compare them, and make new files of them."),
}
"""By name: the module and its function, which declares the arguments, or its app; and the help."""

for _name, (_place, _help) in _COMMANDS.items():
    app.command(f"quintet.cli.{_place}", name=_name, help=_help)
