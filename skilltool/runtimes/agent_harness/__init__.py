"""agent-harness: the TypeScript program behind document 001, with a listing and no tool."""
