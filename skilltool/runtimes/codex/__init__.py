"""Codex: OpenAI's coding agent, on the command line."""
