"""Completion of a value that is joined to its option, `--runtime=kod`, which click leaves out.

zsh and fish replace the whole word by what is offered, so the option must stand in it. bash takes the word
apart; the `=` is a word of its own then.
"""

from __future__ import annotations

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
)


class _Bash(BashComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        return [arg for arg in args if arg != "="], incomplete


class _Zsh(ZshComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _whole(super().get_completions(args, incomplete), incomplete)


class _Fish(FishComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _whole(super().get_completions(args, incomplete), incomplete)

    def format_completion(self, item: CompletionItem) -> str:
        # click's script splits its answer at commas, and would cut the description there.
        about = item.help and item.help.replace(", ", " \u00b7 ").replace(",", "")
        return str(super().format_completion(CompletionItem(item.value, item.type, about)))


def register() -> None:
    """Answer shells in our way from now on."""
    add_completion_class(_Bash)
    add_completion_class(_Zsh)
    add_completion_class(_Fish)


def _whole(items: list[CompletionItem], incomplete: str) -> list[CompletionItem]:
    option, equals, _ = incomplete.partition("=")
    if not equals or not option.startswith("--"):
        return items
    return [CompletionItem(f"{option}={item.value}", item.type, item.help) for item in items]
