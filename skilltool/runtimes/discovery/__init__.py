"""What do several runtimes do alike when they look for skills and settle copies of a name?"""
