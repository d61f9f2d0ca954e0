"""What does the model of a runtime see of these skills?"""
