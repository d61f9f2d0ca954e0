"""The paths of files that hold credentials, by the programs that write them."""

from __future__ import annotations

from skilltool.text.lazy_pattern import lazy_pattern

# Files that hold credentials, wherever the home directory is. A public key is none.
CREDENTIAL_FILE = lazy_pattern(
    r"(?P<path>(?:~|\$\{?HOME\}?|/root|/home/[^\s/\"']{1,40}|/Users/[^\s/\"']{1,40}|\.)?/?"
    r"(?:\.aws/credentials|\.ssh/(?!config\b|known_hosts|authorized_keys)(?:id_\w{1,20}|\*|[\w-]{1,40}\.pem)(?!\.pub)|\.netrc"
    r"|\.git-credentials|\.pypirc|\.npmrc|\.kube/config|\.docker/config\.json|\.gnupg/[\w./*-]{1,60}|\.config/gcloud/[\w./*-]{1,60}"
    r"|\.config/gh/hosts\.yml|\.azure/[\w./*-]{1,60}|\.(?:bash|zsh)_history|\.claude/\.credentials\.json|\.codex/auth\.json"
    r"|Library/Keychains/[\w./*-]{1,60}|\.env(?:\.(?:local|production|prod))?)(?![\w/.-]*\.(?:pub|example|sample|template)\b)|/etc/shadow)"
    r"(?![\w-])"
)
CREDENTIAL_DIRECTORY = lazy_pattern(r"(?P<path>(?:~|\$\{?HOME\}?)/\.(?:ssh|aws|gnupg|kube|azure))/?\*?\Z")
