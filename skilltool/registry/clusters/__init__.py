"""Which skills are copies of each other: of the whole skill, of its body, or of most of its body?"""
