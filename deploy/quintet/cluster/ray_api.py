"""Ray without its own annotations, many of which are loose or missing: whoever calls it says what comes back."""

from typing import Any

import ray as _ray

ray: Any = _ray
