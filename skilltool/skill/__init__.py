"""What is a skill on disk: which directory, which files, which fields?"""
