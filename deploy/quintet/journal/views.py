"""The journal's views: the public format, documented in `docs/journal.md`, for any SQLite tool and for exports.

A view shows names, texts and times where the tables hold numbers. Columns may be added; none changes its meaning
without a new version of the journal.

DuckDB runs the text of a view on its own engine, and has SQLite check it first. So a view is written in the SQL of
both: without UNION outside a subquery, FILTER, `count(*)`, `min` of two numbers, and `json_extract` of a text. Rows of
other tables are joined with LEFT JOIN, so that damage to one of them shows as a NULL instead of hiding rows.
"""

from quintet.journal.cells import is_live, join_text, read_text
from quintet.journal.codes import DECISION_KINDS, ENDINGS, EPISODE_BITS, MESSAGE_ROLES, STATES, finish_of, name_of
from quintet.journal.event_tables import EPISODE_PATH, TABLES

_COMMON = f"""
    event.id AS id,
    event.id >> {EPISODE_BITS} AS episode,
    {EPISODE_PATH} || CASE event.path WHEN '' THEN '' ELSE '/' || event.path END AS path,
    start.incarnation AS incarnation,
    start.host AS host,
    (episode.began + event.at) / 1000.0 AS at,
    event.seconds / 1000000.0 AS seconds"""
"""Columns of every event."""

_EPISODE_JOIN = f"""LEFT JOIN _episodes AS episode ON episode.id = event.id >> {EPISODE_BITS}
LEFT JOIN _tasks AS task ON task.id = episode.task
LEFT JOIN _starts AS start ON start.id = event.start"""
_JOINED = f"AS event {_EPISODE_JOIN}"

_RESULT = "episode.state IN (0, 1)"
"""Of an episode: it is solved or unsolved."""

_OWN = f"event.id BETWEEN (episode.id << {EPISODE_BITS}) AND ((episode.id + 1) << {EPISODE_BITS}) - 1"
"""Joins an episode's events, by their index."""


def _sum(column: str) -> str:
    return f"CAST(sum({column}) AS BIGINT) AS {column}"


def _view(name: str, *fields: str) -> str:
    table = TABLES[f"_{name}"]
    return f"CREATE VIEW {name} AS SELECT {_COMMON}, {table.shown(*fields)}\nFROM _{name} {_JOINED} {table.joined};"


_USED = "episode, model, phase, calls, prompt_tokens, cached_tokens, completion_tokens, bounded, unanswered"
_CACHED = "CASE WHEN used.cached_tokens < used.prompt_tokens THEN used.cached_tokens ELSE used.prompt_tokens END"

VIEWS = f"""
CREATE VIEW _unfinished AS SELECT
    episode, model, phase, {_sum("calls")}, {_sum("prompt_tokens")}, {_sum("cached_tokens")},
    {_sum("completion_tokens")}, {_sum("bounded")},
    '{{' || group_concat(CASE WHEN finish <> 'read' THEN '"' || finish || '":' || calls END) || '}}' AS unanswered
FROM (
    SELECT episode.id AS episode, settings.model AS model, settings.phase AS phase,
        {name_of("event.finish", ENDINGS)} AS finish, count(event.id) AS calls,
        sum(event.prompt_tokens) AS prompt_tokens, sum(event.cached_tokens) AS cached_tokens,
        sum(event.completion_tokens) AS completion_tokens, sum(event.bounded) AS bounded
    FROM _episodes AS episode JOIN _calls AS event ON {_OWN}
    JOIN _settings AS settings ON settings.id = event.settings
    WHERE episode.ended IS NULL AND {is_live("event.start")}
    GROUP BY episode.id, settings.model, settings.phase, event.finish
) AS counted GROUP BY episode, model, phase;

CREATE VIEW usage AS SELECT
    used.episode AS episode,
    model.name AS model,
    phase.name AS phase,
    used.calls AS calls,
    used.prompt_tokens AS prompt_tokens,
    used.cached_tokens AS cached_tokens,
    used.completion_tokens AS completion_tokens,
    ((used.prompt_tokens - {_CACHED}) * model.input + {_CACHED} * model.cached_input
        + used.completion_tokens * model.output) / 1000000.0 AS usd,
    used.bounded AS bounded,
    used.unanswered AS unanswered
FROM (SELECT {_USED} FROM _usage UNION ALL SELECT {_USED} FROM _unfinished) AS used
LEFT JOIN _models AS model ON model.id = used.model LEFT JOIN _phases AS phase ON phase.id = used.phase;

CREATE VIEW episodes AS SELECT
    episode.id AS id,
    {EPISODE_PATH} AS path,
    task.name AS task,
    episode.epoch AS epoch,
    episode.attempt AS attempt,
    CASE WHEN episode.attempt = (
        SELECT max(other.attempt) FROM _episodes AS other
        WHERE other.task = episode.task AND other.epoch = episode.epoch
    ) THEN 1 ELSE 0 END AS newest,
    CASE WHEN episode.ended IS NULL THEN 'unfinished' ELSE {name_of("episode.state", STATES)} END AS state,
    CASE WHEN {_RESULT} THEN CASE WHEN episode.reward >= 1 THEN 1 ELSE 0 END END AS success,
    CASE WHEN {_RESULT} THEN episode.reward END AS reward,
    episode.claimed AS claimed,
    episode.depth AS depth,
    CASE WHEN episode.ended IS NULL THEN coalesce(counted.steps, 0) ELSE episode.steps END AS steps,
    coalesce(used.calls, 0) AS calls,
    coalesce(used.prompt_tokens, 0) AS prompt_tokens,
    coalesce(used.cached_tokens, 0) AS cached_tokens,
    coalesce(used.completion_tokens, 0) AS completion_tokens,
    CASE WHEN used.episode IS NULL THEN 0.0 WHEN used.priced = used.models THEN used.usd END AS usd,
    episode.incarnation AS incarnation,
    start.host AS host,
    (episode.began + episode.started) / 1000.0 AS started,
    (episode.began + episode.ended) / 1000.0 AS ended,
    episode.seconds / 1000000.0 AS seconds,
    coalesce(episode.reason, '') AS reason,
    episode.fault AS fault,
    episode.cancelled AS cancelled,
    episode.figures AS figures
FROM _episodes AS episode
LEFT JOIN _tasks AS task ON task.id = episode.task
LEFT JOIN _starts AS start ON start.id = episode.start
LEFT JOIN (
    SELECT episode, count(model) AS models, count(usd) AS priced, sum(usd) AS usd, {_sum("calls")},
        {_sum("prompt_tokens")}, {_sum("cached_tokens")}, {_sum("completion_tokens")}
    FROM usage GROUP BY episode
) AS used ON used.episode = episode.id
LEFT JOIN (
    SELECT episode.id AS episode, count(event.id) AS steps FROM _episodes AS episode JOIN _steps AS event ON {_OWN}
    WHERE episode.ended IS NULL GROUP BY episode.id
) AS counted ON counted.episode = episode.id;

CREATE VIEW calls AS SELECT {_COMMON},
    model.name AS model,
    phase.name AS phase,
    nullif(event.prompt, 0) AS prompt,
    {read_text("event.completion")} AS completion,
    {read_text("event.reasoning")} AS reasoning,
    {name_of("event.finish", [finish_of(ending) for ending in ENDINGS])} AS finish,
    event.prompt_tokens AS prompt_tokens,
    event.cached_tokens AS cached_tokens,
    event.completion_tokens AS completion_tokens,
    event.reasoning_tokens AS reasoning_tokens,
    event.bounded AS bounded,
    settings.temperature AS temperature,
    settings.top_p AS top_p,
    settings.max_tokens AS max_tokens,
    settings.stop AS stop,
    event.seed AS seed,
    settings.form AS form,
    settings.fingerprint AS fingerprint,
    settings.weights AS weights_version
FROM _calls {_JOINED} LEFT JOIN _settings AS settings ON settings.id = event.settings
LEFT JOIN _models AS model ON model.id = settings.model
LEFT JOIN _phases AS phase ON phase.id = settings.phase
{join_text("event.completion")} {join_text("event.reasoning")};

CREATE VIEW tokens AS SELECT
    call AS id,
    call >> {EPISODE_BITS} AS episode,
    nullif(base, 0) AS base,
    shared AS shared,
    prompt AS prompt,
    completion AS completion,
    logprobs AS logprobs
FROM _tokens;

CREATE VIEW tool_answers AS SELECT
    event.call AS id,
    event.call >> {EPISODE_BITS} AS episode,
    {read_text("event.tools")} AS tools,
    nullif({read_text("event.message")}, '') AS message
FROM _tool_answers AS event {join_text("event.tools")} {join_text("event.message")};

{_view("sessions")}

{_view("steps", "session", "thought", "action", "observation", "reward", "done", "rejected", "lasting", "figures")}

CREATE VIEW pictures AS SELECT {_COMMON},
    event.size AS size,
    event.picture AS picture
FROM _pictures {_JOINED};

CREATE VIEW nodes AS SELECT {_COMMON}, {TABLES["_nodes"].shown()}
FROM (SELECT max(id) AS id FROM _nodes GROUP BY id >> {EPISODE_BITS}, tree, node) AS newest
JOIN _nodes AS event ON event.id = newest.id {_EPISODE_JOIN} {TABLES["_nodes"].joined};

{_view("trials")}

{_view("recalls")}

{_view("exchanges", "request", "subject", "session", "reply")}

CREATE VIEW decisions AS SELECT {_COMMON},
    {name_of("event.kind", DECISION_KINDS)} AS kind,
    event.content AS content
FROM _decisions {_JOINED};

CREATE VIEW versions AS SELECT {_COMMON},
    event.version AS version,
    {read_text("event.text")} AS text,
    CASE WHEN {read_text("event.text")} = (
        SELECT {read_text("earlier.text")} FROM _versions AS earlier {join_text("earlier.text")}
        WHERE earlier.version + 1 = event.version
    ) THEN 1 ELSE 0 END AS unchanged,
    CAST((
        SELECT CASE WHEN json_valid(reply.text) THEN CAST(json_extract(reply.text, '$.version') AS BIGINT) END
        FROM _exchanges AS answer JOIN _texts AS reply ON reply.id = answer.reply
        WHERE answer.path = '' AND answer.id >> {EPISODE_BITS} = event.id >> {EPISODE_BITS}
    ) = event.version AS INTEGER) AS chosen
FROM _versions {_JOINED} {join_text("event.text")};

CREATE VIEW prompts AS SELECT
    message.id AS id,
    CASE message.back WHEN 0 THEN NULL ELSE message.id - message.back END AS parent,
    {name_of("message.role", MESSAGE_ROLES)} AS role,
    {read_text("message.text")} AS content
FROM _messages AS message {join_text("message.text")};
"""
