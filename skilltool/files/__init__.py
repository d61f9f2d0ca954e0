"""Where is a file, how is its path shown, and how is it written atomically?"""
