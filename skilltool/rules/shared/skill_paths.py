"""How texts name the files of their own skill."""

# The directories of the open specification (https://agentskills.io/specification).
OWN_DIRECTORIES = ("scripts/", "references/", "assets/")
# What ends the name of the skill's own directory, in runtimes that give it one.
MARKS = ("{baseDir}/", "SKILL_DIR}/", "SKILL_DIR/", "SKILL_ROOT}/", "SKILL_ROOT/")
# One of these stands in each of them: two searches in place of five.
HINTS = ("Dir}/", "SKILL_")
