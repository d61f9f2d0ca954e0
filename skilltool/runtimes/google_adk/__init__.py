"""Google's Agent Development Kit for Python (`google-adk`): its `SkillToolset`."""
