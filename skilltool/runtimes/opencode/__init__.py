"""opencode: skills in `.opencode/skills`, `.claude/skills` and `.agents/skills`, called with `skill`."""
