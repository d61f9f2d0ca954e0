"""agent-harness: the TypeScript successor of agent-base. A listing in the prompt, and no skill tool."""
