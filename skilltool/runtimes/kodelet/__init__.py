"""kodelet: a skill tool with a list of its skills in its description."""
