"""What several rules need: questions about a skill, fixes, and the wording of messages."""
