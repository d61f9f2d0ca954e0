"""Gemini CLI: skills in `.gemini/skills` and `.agents/skills`, called with the tool `activate_skill`."""
