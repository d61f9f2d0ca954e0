"""How is a skill's own regular expression run within a limit of time?"""
