"""qwen-code: skills of four levels, listed in a reminder before the first prompt, called with a tool."""
