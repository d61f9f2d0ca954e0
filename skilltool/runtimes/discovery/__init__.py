"""How do runtimes look for skills: open files, scan directories, settle which copy of a key wins?"""
