#!/bin/sh
# Print the commits between two tags, one per line: hash, author, subject.
# usage: commits.sh FROM TO
set -eu
if [ $# -ne 2 ]; then
    echo "usage: commits.sh FROM TO" >&2
    exit 2
fi
for tag in "$1" "$2"; do
    if ! git rev-parse --quiet --verify "$tag^{commit}" >/dev/null; then
        echo "no such tag: $tag; the newest are:" >&2
        git tag --sort=-creatordate | head -n 5 >&2
        exit 1
    fi
done
git log --no-merges --format='%h %an  %s' "$1..$2"
