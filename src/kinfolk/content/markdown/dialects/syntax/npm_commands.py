"""Commands for npm as tabs for npm, yarn, pnpm and bun."""

from __future__ import annotations

import re

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine

_RULES = (
    (re.compile(r"\bnpm (?:create|init) (?!-)"), ("yarn create ", "pnpm create ", "bun create ")),
    (re.compile(r"\bnpm (?:install|i|add)(?= -g | --global )"), ("yarn global add", "pnpm add", "bun add")),
    (re.compile(r"\bnpm (?:install|i|add)[ ](?=[^-\s])"), ("yarn add ", "pnpm add ", "bun add ")),
    (re.compile(r"\bnpm (?:install|i|add) (?=--?\w)"), ("yarn add ", "pnpm add ", "bun add ")),
    (re.compile(r"\bnpm (?:install|i)\b"), ("yarn", "pnpm install", "bun install")),
    (re.compile(r"\bnpm (?:uninstall|remove|rm|un)\b"), ("yarn remove", "pnpm remove", "bun remove")),
    (re.compile(r"\bnpm run "), ("yarn ", "pnpm run ", "bun run ")),
    (re.compile(r"\bnpx "), ("yarn dlx ", "pnpm dlx ", "bunx ")),
    (re.compile(r"\bnpm (?=start|test)"), ("yarn ", "pnpm ", "bun run ")),
)
_DEV = re.compile(r" --save-dev\b")
_SAVE = re.compile(r" --save(?:-prod)?(?![\w-])")


def commands_of(text: str) -> dict[str, str]:
    """The commands by package manager, npm first."""
    found = {"npm": text}
    for at, manager in enumerate(("yarn", "pnpm", "bun")):
        lines = []
        for line in text.split("\n"):
            changed = line
            for pattern, replacements in _RULES:
                changed, count = pattern.subn(replacements[at], changed)
                if count:
                    break
            lines.append(_SAVE.sub("", _DEV.sub(" --dev" if manager == "yarn" else " -D", changed)))
        found[manager] = "\n".join(lines)
    return found


def command_tabs(fence: Fence, *, for_export: bool) -> list[SourceLine]:
    """The fence as tabs; in an export only the commands for npm."""
    number, pad = fence.lines[0].number, fence.prefix
    code = "\n".join(line.text.removeprefix(pad) for line in fence.code)
    commands = {"npm": code} if for_export else commands_of(code)
    rows: list[str] = [] if for_export else ["<!-- ::start:tabs -->", ""]
    for manager, text in commands.items():
        block = [f"{fence.mark}bash", *text.split("\n"), fence.mark]
        rows += (
            block
            if for_export
            else [f'<!-- ::start:tab label="{manager}" -->', "", *block, "", "<!-- ::end:tab -->", ""]
        )
    rows += [] if for_export else ["<!-- ::end:tabs -->", ""]
    return [SourceLine(f"{pad}{row}" if row else "", number) for row in rows]
