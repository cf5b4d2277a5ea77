from fastapi import FastAPI

def create_fastapi_app(
    env: type, action_cls: type, observation_cls: type, max_concurrent_envs: int | None = None
) -> FastAPI: ...
