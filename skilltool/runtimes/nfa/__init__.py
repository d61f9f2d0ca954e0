"""nfa: names in the prompt, whole files as JSON."""
