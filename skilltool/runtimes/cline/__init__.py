"""Cline: the names of skills in the description of a tool; their descriptions come with the call."""
