"""The commands of a shell session, which its copy button copies: without prompts and output."""

from __future__ import annotations

import re
from collections.abc import Sequence

SESSIONS = frozenset(
    """console terminal session shell-session shellsession shell-console sh-session bash-session zsh-session bashsession
    pwsh-session powershell-session ps1con doscon pycon python-console python-repl""".split()
)
"""Languages in which commands follow a prompt, and other lines are output."""
SHELLS = frozenset("bash sh shell shellscript zsh ksh fish powershell pwsh ps1 ps cmd bat batch dosbatch".split())
"""Languages of scripts. One whose first command follows a prompt is a session too."""
MOST_LINES = 200
"""Lines of one command."""

_PROMPTS = (
    r"\$(?=[ \t]|$)",
    r"[~/][^\s$#%>]{0,60}[ \t]?\$(?=[ \t]|$)",  # ~/project $
    r"(?:ba|z|k)?sh-[\d.]{1,9}[$#](?=[ \t]|$)",  # bash-5.2$
    # user@host:~$, [user@host project]#, user@host project %
    r"\[?[\w.-]{1,40}@[\w.-]{1,60}(?:[: \t][^\s$#%>\]]{0,60})?\]?[ \t]?[$#%](?=[ \t]|$)",
    r"[\w.-]{1,40}@[\w.-]{1,60}[: ]?[~/][^\s>]{0,60}>(?=[ \t]|$)",  # user@host ~/project>
    r"[\w.-]{1,40}:[^\s$]{1,60} [\w.-]{1,40}\$(?=[ \t]|$)",  # host:project user$
    r"PS(?:[ \t][^\n>]{1,80})?>",
    r"[A-Za-z]:\\[^\n<>|]{0,80}>",
    r"(?:>>>|\u276f)(?=[ \t]|$)",
)
# The part in brackets is an environment of Python.
_PROMPT = re.compile(rf"[ \t]{{0,40}}(?:\([\w.-]{{1,40}}\)[ \t]?)?(?:{'|'.join(_PROMPTS)})[ \t]?")
_BARE_PROMPT = re.compile(r"[ \t]{0,40}([#%>])(?:[ \t]|$)")
_CONTINUED = re.compile(r"[ \t]{0,40}(?:>>?|\.\.\.|More\?)(?:[ \t]|$)")
_OPENS_SHELL = re.compile(r"\b(?:su|ssh|chroot|exec|sudo (?:-[is]|[a-z]{0,3}sh))\b")
_HERE_DOCUMENT = re.compile(r"""(?<!<)<<-?[ \t]{0,9}["']?(\w{1,60})""")
_QUOTED = re.compile(r"""\\.|'[^']*+'|"(?>(?:[^"\\]|\\.)*)"|(?:^|[ \t])#[^\n]*""", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"[ \t]{0,40}(?:for|while|until|if|case|select)\b")
_BLOCK_END = re.compile(r"\b(?:done|fi|esac)\b")


def commands_of(language: str, code: str) -> str | None:
    """The commands in the code. None if it is no session: then all of it is copied."""
    if language not in SESSIONS and language not in SHELLS:
        return None
    lines = code.split("\n")
    session = _ShellSession(lines, is_script=language in SHELLS)
    text = "\n".join(session.commands()).strip("\n") if session.has_prompts else ""
    return text if text.strip() else None


class _ShellSession:
    def __init__(self, lines: Sequence[str], *, is_script: bool) -> None:
        self._lines = lines
        self._is_script = is_script
        self._has_clear_prompts = any(_PROMPT.match(line) for line in lines)
        self._is_other_shell = False

    @property
    def has_prompts(self) -> bool:
        if not self._is_script:
            return True
        first = next((line for line in self._lines if line.strip() and not _is_comment(line)), "")
        return _PROMPT.match(first) is not None

    def commands(self) -> list[str]:
        found: list[str] = []
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            at += 1
            prompt = self._prompt(line)
            if prompt is None:
                if self._is_script and (_is_comment(line) or not (line.strip() or not found or not found[-1])):
                    found.append(line)
                continue
            command = line[prompt.end() :].rstrip()
            end = self._end_of_command(command, at)
            if command:
                found += [command, *map(_unprompted, self._lines[at:end])]
                self._is_other_shell = bool(_OPENS_SHELL.search(command)) or self._is_other_shell
            at = end
        return found

    def _prompt(self, line: str) -> re.Match[str] | None:
        """The prompt of the line. `#` and `>` are prompts if there is no other, `#` also after `sudo -i`."""
        bare = None if self._is_script else _BARE_PROMPT.match(line)
        if bare and self._has_clear_prompts and not (bare[1] == "#" and self._is_other_shell):
            bare = None
        return _PROMPT.match(line) or bare

    def _end_of_command(self, command: str, at: int) -> int:
        """The line after the command whose first line is before line `at`."""
        following = self._lines[at : at + MOST_LINES]
        here = _HERE_DOCUMENT.search(command)
        if here:
            return next((at + n for n, line in enumerate(following, 1) if _unprompted(line).strip() == here[1]), at)
        last = command
        for number, line in enumerate(following):
            if not (_goes_on(last) or (_CONTINUED.match(line) and _is_open(command))):
                return at + number
            last = _unprompted(line).rstrip()
            command = f"{command}\n{last}"
        return at + len(following)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _unprompted(line: str) -> str:
    """The line of a longer command without the prompt for it, as `> ` of bash and `... ` of Python."""
    prompt = _CONTINUED.match(line)
    return line[prompt.end() :] if prompt else line


def _goes_on(line: str) -> bool:
    """Whether the command goes on in the next line, whatever that begins with."""
    escapes = len(line) - len(line.rstrip("\\"))
    return escapes % 2 == 1 or line.endswith((" `", " ^", "|", "&&"))


def _is_open(command: str) -> bool:
    """Whether a shell shows the prompt for a further line after the command."""
    if command.endswith(":") or "\n    " in command:  # Python
        return True
    bare = _QUOTED.sub(" ", command)
    if "'" in bare or '"' in bare or any(bare.count(start) > bare.count(end) for start, end in ("()", "{}", "[]")):
        return True
    return bool(_BLOCK.match(bare)) and not _BLOCK_END.search(bare)
