"""What several rules ask of a skill, and how they word the answer."""
