"""How a body spells the paths of its own skill's files."""

# The directories of the open specification (https://agentskills.io/specification).
OWN_DIRECTORIES = ("scripts/", "references/", "assets/")
# The ends of variables for the skill's own directory, in runtimes that define one.
DIRECTORY_VARIABLES = ("{baseDir}/", "SKILL_DIR}/", "SKILL_DIR/", "SKILL_ROOT}/", "SKILL_ROOT/")
# What may stand before `SKILL_DIR` in them; any other prefix names another skill (`FORMS_SKILL_DIR`).
VARIABLE_PREFIXES = frozenset({"agent", "claude", "current", "my", "this"})
# Every variable contains one of these, so two searches can rule out all five.
VARIABLE_HINTS = ("Dir}/", "SKILL_")
