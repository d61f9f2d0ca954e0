"""How a body spells the paths of its own skill's files."""

# The directories of the open specification (https://agentskills.io/specification).
OWN_DIRECTORIES = ("scripts/", "references/", "assets/")
# The ends of variables for the skill's own directory, in runtimes that define one.
DIRECTORY_VARIABLES = ("{baseDir}/", "SKILL_DIR}/", "SKILL_DIR/", "SKILL_ROOT}/", "SKILL_ROOT/")
# Every variable contains one of these, so two searches can rule out all five.
VARIABLE_HINTS = ("Dir}/", "SKILL_")
