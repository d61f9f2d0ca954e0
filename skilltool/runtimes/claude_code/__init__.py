"""Claude Code: Anthropic's coding agent, in print mode (`claude -p`)."""
