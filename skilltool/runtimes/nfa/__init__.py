"""nfa: names in the prompt, and a skill tool that returns whole files as JSON."""
