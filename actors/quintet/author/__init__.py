"""All that an author of a method, a role, a world, a model or an embedder imports."""

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.environments.mcp.server import ToolServer
from quintet.environments.tool_world.tool import Tool
from quintet.environments.tool_world.world import ToolWorld
from quintet.errors import ModelFault, ProcessLost, UsageError, WorldFault
from quintet.messages.completion import Completed
from quintet.messages.environment import CloseBranch, Fork, ListActions, Open, Session, Snapshot, Step, Task
from quintet.messages.execution import Candidate, Decide, Execute, Executed, Turn
from quintet.messages.learning import EpisodeRan, Experience, Learned, Version
from quintet.messages.memory import RecallNotes
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, StoredNote, VoteNote
from quintet.messages.parts import FreeText, PromptPart, Reflections, TaskSteps
from quintet.messages.planning import (
    Decompose,
    Decomposed,
    MakePlan,
    PlanMade,
    PlanRevised,
    PlanStep,
    RevisePlan,
)
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.messages.reflection import Choose, Compare, Judge, LookBack, Reflect, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.messages.tools import OfferedTool, ToolAnswer
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import Description, LearnerSpec, Method
from quintet.methods.base.notes_learner import NotesLearner, NotesMethod, NotesOptions
from quintet.methods.base.options import MethodOptions
from quintet.methods.base.trials import has_succeeded
from quintet.methods.base.versions import VersionOptions, publish_versions
from quintet.models.completion import complete_with
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.embedder import Embedder
from quintet.ports.model import (
    Asked,
    Completion,
    DrawsSeveral,
    Model,
    Sampling,
    SamplingOverride,
    TakesQuestions,
    Usage,
)
from quintet.ports.world import AnswerToGrade, CallsIn, Forks, MessageToUser, Opening, Outcome, World, WorldState
from quintet.questions.question import RequestQuestion, TaskQuestion
from quintet.questions.shapes import Number, OrderedSteps, Rows, Steps, Text, ThoughtAndAction, YesOrNo
from quintet.roles.asking import asking_role
from quintet.roles.model_role import model_role
from quintet.roles.role import ActorParts, Role

__all__ = [
    "ActorParts",
    "AddNote",
    "AnswerToGrade",
    "Asked",
    "AsyncState",
    "AsyncWorld",
    "CallsIn",
    "Candidate",
    "ChatMessage",
    "Choose",
    "CloseBranch",
    "Compare",
    "Completed",
    "Completion",
    "Decide",
    "Decompose",
    "Decomposed",
    "Description",
    "DrawsSeveral",
    "EditNote",
    "Embedder",
    "Episode",
    "EpisodeRan",
    "Execute",
    "Executed",
    "Experience",
    "Fork",
    "Forks",
    "FreeText",
    "GymnasiumWorld",
    "Judge",
    "Learned",
    "LearnerContext",
    "LearnerSpec",
    "ListActions",
    "LookBack",
    "MakePlan",
    "Message",
    "MessageToUser",
    "Method",
    "MethodOptions",
    "Model",
    "ModelFault",
    "Note",
    "NoteChange",
    "NotesLearner",
    "NotesMethod",
    "NotesOptions",
    "Number",
    "OfferedTool",
    "Open",
    "Opening",
    "OrderedSteps",
    "Outcome",
    "PlanMade",
    "PlanRevised",
    "PlanStep",
    "ProcessLost",
    "Prompt",
    "PromptPart",
    "RecallNotes",
    "Reflect",
    "Reflections",
    "ReplaceNote",
    "Request",
    "RequestQuestion",
    "RevisePlan",
    "Role",
    "Rows",
    "Sampling",
    "SamplingOverride",
    "Session",
    "Snapshot",
    "Solved",
    "Step",
    "Steps",
    "StoredNote",
    "TakesQuestions",
    "Task",
    "TaskQuestion",
    "TaskSteps",
    "Text",
    "ThoughtAndAction",
    "Tool",
    "ToolAnswer",
    "ToolServer",
    "ToolWorld",
    "Turn",
    "Unanswered",
    "Unsolved",
    "Usage",
    "UsageError",
    "Value",
    "Version",
    "VersionOptions",
    "VoteNote",
    "World",
    "WorldFault",
    "WorldState",
    "YesOrNo",
    "asking_role",
    "assistant",
    "complete_with",
    "has_succeeded",
    "model_role",
    "publish_versions",
    "system",
    "user",
]
