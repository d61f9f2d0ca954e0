"""The strictest common ground: no runtime, but what every runtime of the design documents takes."""

from skilltool.runtimes.base import Runtime

PORTABLE = Runtime(
    id="portable",
    title="Portable (what every supported runtime accepts)",
    docs="the five design documents that skilltool was made for: the narrowest limit of each field",
    verified="2026-11-21",
    schema="skill",
    # Hosted clients refuse these words in names, so a skill that is meant for everywhere avoids them.
    reserved_words=("anthropic", "claude"),
)
