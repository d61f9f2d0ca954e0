"""Made-up projects in which the commands of the documentation run: by name, from file names to texts.

A name that begins with `~/` is a file in the home directory.
"""

_FORMS = """\
---
name: pdf-forms
description: Fills in forms: PDF and XFA. Use for any form.
---

# PDF forms

Look up the type of a field in [the reference](fields.md).
"""
_GREET = """\
---
name: greet
description: Greets people. Use when the user says hello.
---

# Greet

Say hello to $ARGUMENTS.
"""
_ON_HELLO = _GREET.replace("hello.\n---", "hello.\ntriggers:\n  keywords: [hello]\n---")
_WITH_TOOLS = _GREET.replace("hello.\n---", "hello.\nallowed-tools: [Read]\n---")
_LANGUAGES = " in German, French, Italian, Spanish, Danish and Dutch, by day and by night" * 7
_MY_GREET = _GREET.replace("people", "people in German")
_INSTALLER = """\
---
# skilltool: ignore[unknown-field] our installer reads `channel`
name: pdf-forms
description: Fills in PDF forms. Use when the user mentions a form.
channel: stable
---

# PDF forms

<!-- skilltool: ignore[broken-link] the build writes this file -->
Look up the type of a field in [the reference](fields.md).
"""

_MARKETPLACE = """\
{
  "name": "office",
  "owner": {"name": "Ada"},
  "plugins": [
    {"name": "letters", "source": "./plugins/letters"},
    {"name": "forms", "source": "./plugins/forms", "skills": ["./plugins/forms/extra/pdf-forms"]}
  ]
}
"""

SAMPLES: dict[str, dict[str, str]] = {
    "empty": {},
    "forms": {"skills/pdf-forms/SKILL.md": _FORMS},
    "monorepo": {
        "skilltool.toml": '[per-path-runtimes]\n"packages/mail/skills" = ["claude-code", "codex"]\n',
        "packages/forms/.claude/skills/pdf-forms/SKILL.md": _FORMS,
        "packages/mail/skills/greet/SKILL.md": _GREET,
        ".agents/skills/greet/SKILL.md": _GREET,
    },
    "shared": {".agents/skills/greet/SKILL.md": _WITH_TOOLS},
    "long": {"skills/greet/SKILL.md": _GREET.replace("Greets people", f"Greets people{_LANGUAGES}")},
    "copies": {".kodelet/skills/greet/SKILL.md": _GREET, "~/.kodelet/skills/greet/SKILL.md": _MY_GREET},
    "clients": {
        ".agents/skills/greet/SKILL.md": _GREET,
        ".claude/skills/greet/SKILL.md": _GREET,
        ".kodelet/skills/greet/SKILL.md": _GREET.replace("ARGUMENTS.", "ARGUMENTS politely."),
        "~/.claude/skills/greet/SKILL.md": _MY_GREET,
    },
    "greet": {
        ".agent/skills/greet/SKILL.md": _ON_HELLO,
        ".agents/skills/greet/SKILL.md": _GREET,
        ".kodelet/skills/greet/SKILL.md": _GREET,
        "skills/greet/SKILL.md": _GREET,
        "~/.nfa/skills/greet/SKILL.md": _GREET,
    },
    "package": {
        ".claude-plugin/marketplace.json": _MARKETPLACE,
        "plugins/letters/skills/greet/SKILL.md": _GREET,
        "plugins/forms/extra/pdf-forms/SKILL.md": _FORMS,
    },
    "comments": {"skills/pdf-forms/SKILL.md": _INSTALLER},
}
