"""Microsoft's Agent Framework for Python (`agent-framework-core`): its `SkillsProvider`."""
