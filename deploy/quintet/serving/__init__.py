"""The simulated models over HTTP, in the wire format of OpenAI's chat completions: `quintet serve-sim`.

wire.py       what is said on the wire, both ways
reading.py    a request's body, read leniently, and the digest it is counted under
refusals.py   errors, in OpenAI's shape
silences.py   answers without a text, to order
latency.py    how long a completion takes
faults.py     what goes wrong to order
counters.py   what was asked and answered, as `/status` shows it
structured.py what is said as text, as the JSON that was asked for
endpoint.py   the routes
offer.py      which model answers under which name
server.py     an endpoint on a port, inside of this process
command.py    the command
"""
