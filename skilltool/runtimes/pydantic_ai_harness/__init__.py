"""The harness of Pydantic AI (`pydantic-ai-harness`): its `Skills`."""
