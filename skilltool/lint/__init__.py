"""What is wrong with these skills, for whom, and what has been accepted?"""
