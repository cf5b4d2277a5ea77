"""The journal's views: the public format, documented in `docs/journal.md`, for any SQLite tool, reports and exports.

A view shows names, texts and times where the tables hold numbers. Columns may be added; none changes its meaning
without a new version of the journal.
"""

from quintet.journal.numbers import EPISODE_BITS, FINISHES, KINDS, ROLES, STATES, name_of


def _text(number: str, start: str = "", length: str = "") -> str:
    """An expression for a text, or for a part of it; NULL is the empty text."""
    text = f"(SELECT text FROM _texts WHERE id = {number})"
    if not start:
        return f"CASE WHEN {number} IS NULL THEN '' ELSE {text} END"
    part = f"substr({text}, {start}, {length})"
    return f"CASE WHEN {number} IS NULL THEN '' WHEN {start} IS NULL THEN {text} ELSE {part} END"


def _session(column: str) -> str:
    return f"CASE WHEN {column} LIKE '/%' THEN substr({column}, 2) ELSE {_EPISODE} || '/' || {column} END"


_TASK = "(SELECT name FROM _tasks WHERE id = episode.task)"
_EPISODE = f"({_TASK} || '/' || episode.epoch || '/' || episode.attempt)"

_COMMON = f"""
    episode.id AS episode,
    {_EPISODE} || CASE event.path WHEN '' THEN '' ELSE '/' || event.path END AS path,
    start.incarnation AS incarnation,
    start.host AS host,
    (episode.began + event.at) / 1000.0 AS at,
    event.seconds / 1000000.0 AS seconds"""
"""Columns of every event."""

_JOINED = f"""AS event JOIN _episodes AS episode ON episode.id = event.id >> {EPISODE_BITS}
JOIN _starts AS start ON start.id = event.start"""

_FIRST = f"(episode.id << {EPISODE_BITS})"
_LAST = f"({_FIRST} + {(1 << EPISODE_BITS) - 1})"

_OWN_CALLS = f"_calls WHERE id BETWEEN {_FIRST} AND {_LAST}"
_OWN_STEPS = f"_steps WHERE id BETWEEN {_FIRST} AND {_LAST}"


def _used(column: str, counted: str) -> str:
    """Of an ended episode as stored with its end, of another as counted now."""
    return f"""CASE WHEN episode.ended IS NULL THEN (SELECT coalesce({counted}, 0) FROM {_OWN_CALLS})
        ELSE (SELECT coalesce(sum({column}), 0) FROM _usage WHERE _usage.episode = episode.id) END AS {column}"""


_USD = """((prompt_tokens - min(cached_tokens, prompt_tokens)) * model.input
        + min(cached_tokens, prompt_tokens) * model.cached_input + completion_tokens * model.output) / 1000000.0"""

VIEWS = f"""
CREATE VIEW episodes AS SELECT
    episode.id AS id,
    {_EPISODE} AS path,
    {_TASK} AS task,
    episode.epoch AS epoch,
    episode.attempt AS attempt,
    coalesce({name_of("episode.state", STATES)}, 'unfinished') AS state,
    episode.reward AS reward,
    episode.claimed AS claimed,
    episode.depth AS depth,
    CASE WHEN episode.ended IS NULL THEN (SELECT count(*) FROM {_OWN_STEPS}) ELSE episode.steps END AS steps,
    {_used("calls", "count(*)")},
    {_used("prompt_tokens", "sum(prompt_tokens)")},
    {_used("cached_tokens", "sum(cached_tokens)")},
    {_used("completion_tokens", "sum(completion_tokens)")},
    (SELECT CASE WHEN count(*) = count(usd) THEN coalesce(sum(usd), 0) END
        FROM usage WHERE usage.episode = episode.id) AS usd,
    episode.incarnation AS incarnation,
    (SELECT host FROM _starts WHERE id = episode.start) AS host,
    (episode.began + episode.started) / 1000.0 AS started,
    (episode.began + episode.ended) / 1000.0 AS ended,
    episode.seconds / 1000000.0 AS seconds,
    episode.reason AS reason,
    episode.fault AS fault,
    episode.cancelled AS cancelled
FROM _episodes AS episode;

CREATE VIEW usage AS SELECT
    used.episode AS episode, model.name AS model, calls, prompt_tokens, cached_tokens, completion_tokens, bounded,
    unanswered, {_USD} AS usd
FROM _usage AS used JOIN _models AS model ON model.id = used.model
UNION ALL SELECT
    used.episode, model.name, calls, prompt_tokens, cached_tokens, completion_tokens, bounded, unanswered, {_USD}
FROM (
    SELECT episode, model, sum(calls) AS calls, sum(prompt_tokens) AS prompt_tokens,
        sum(cached_tokens) AS cached_tokens, sum(completion_tokens) AS completion_tokens, sum(bounded) AS bounded,
        json_group_object(finish, calls) FILTER (WHERE finish != 'stop') AS unanswered
    FROM (
        SELECT episode.id AS episode, settings.model AS model, {name_of("call.finish", FINISHES)} AS finish,
            count(*) AS calls, sum(prompt_tokens) AS prompt_tokens, sum(cached_tokens) AS cached_tokens,
            sum(completion_tokens) AS completion_tokens, sum(bounded) AS bounded
        FROM _episodes AS episode
        JOIN _calls AS call ON call.id BETWEEN {_FIRST} AND {_LAST}
        JOIN _settings AS settings ON settings.id = call.settings
        WHERE episode.ended IS NULL GROUP BY episode.id, settings.model, call.finish
    ) GROUP BY episode, model
) AS used JOIN _models AS model ON model.id = used.model;

CREATE VIEW calls AS SELECT {_COMMON},
    (SELECT name FROM _models WHERE id = settings.model) AS model,
    event.prompt AS prompt,
    settings.temperature AS temperature,
    settings.top_p AS top_p,
    settings.max_tokens AS max_tokens,
    settings.stop AS stop,
    settings.form AS form,
    event.seed AS seed,
    {_text("event.completion")} AS completion,
    {_text("event.reasoning")} AS reasoning,
    {name_of("event.finish", FINISHES)} AS finish,
    event.prompt_tokens AS prompt_tokens,
    event.cached_tokens AS cached_tokens,
    event.completion_tokens AS completion_tokens,
    event.reasoning_tokens AS reasoning_tokens,
    event.bounded AS bounded,
    settings.fingerprint AS fingerprint
FROM _calls {_JOINED} JOIN _settings AS settings ON settings.id = event.settings;

CREATE VIEW sessions AS SELECT {_COMMON},
    {_session("event.session")} AS session,
    {_text("event.observation")} AS observation
FROM _sessions {_JOINED};

CREATE VIEW steps AS SELECT {_COMMON},
    {_session("event.session")} AS session,
    {_text("event.thought", "event.thought_from", "event.thought_length")} AS thought,
    {_text("event.action", "event.action_from", "event.action_length")} AS action,
    {_text("event.observation")} AS observation,
    event.reward AS reward,
    event.done AS done,
    event.rejected AS rejected
FROM _steps {_JOINED};

CREATE VIEW exchanges AS SELECT {_COMMON},
    {_text("event.request")} AS request,
    {_text("event.subject")} AS subject,
    {_session("event.session")} AS session,
    {_text("event.reply")} AS reply
FROM _exchanges {_JOINED};

CREATE VIEW decisions AS SELECT {_COMMON},
    {name_of("event.kind", KINDS)} AS kind,
    event.content AS content
FROM _decisions {_JOINED};

CREATE VIEW versions AS SELECT {_COMMON},
    json_extract(event.content, '$.version') AS version,
    json_extract(event.content, '$.content') AS text
FROM _decisions {_JOINED} WHERE event.kind = {KINDS.index("published")};

CREATE VIEW prompts AS SELECT
    message.id AS id,
    CASE message.back WHEN 0 THEN NULL ELSE message.id - message.back END AS parent,
    {name_of("message.role", ROLES)} AS role,
    {_text("message.text")} AS content
FROM _messages AS message;
"""
