"""What the copy button of a shell session copies."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.code.shell_sessions import commands_of
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose

SESSION_CASES = [
    ("$ npm install left-pad\nadded 1 package\n$ npm test\nok", "npm install left-pad\nnpm test"),
    ("$ a\n\nout\n\n$ b\n$", "a\nb"),
    ("  $ a\n  out", "a"),
    ("# apt update\nReading\n# apt upgrade", "apt update\napt upgrade"),
    ("# Install it\n$ npm i\n# Done", "npm i"),
    ("$ sudo -i\n# apt update\nReading", "sudo -i\napt update"),
    ("% ls\na", "ls"),
    ("> npm i\nadded", "npm i"),
    ("$ npm test\n> left-pad@1.0.0 test\n> vitest\nok", "npm test"),
    ("user@host:~$ ls\na  b\nuser@host:~/src$ cd ..", "ls\ncd .."),
    ("root@0a1b2c:/# id\nuid=0", "id"),
    ("[jo@web project]$ make\n[root@web ~]# reboot", "make\nreboot"),
    ("jo@mac project % make", "make"),
    ("mac:project jo$ make\nok", "make"),
    ("jo@host ~/src> make", "make"),
    ("~/src $ make\nok", "make"),
    ("bash-5.2$ ls\nsh-4.4# id", "ls\nid"),
    ("(venv) $ pip install x\n(venv) jo@host:~$ x", "pip install x\nx"),
    ("PS C:\\src> npm i\nadded\nPS> dir", "npm i\ndir"),
    ("C:\\src>npm i\nadded\nC:\\>dir", "npm i\ndir"),
    ("\u276f npm i\nadded", "npm i"),
    ("$ docker run \\\n    --rm \\\n    image\nout", "docker run \\\n    --rm \\\n    image"),
    ("$ docker run \\\n> --rm \\\n> image\nout", "docker run \\\n--rm \\\nimage"),
    ("$ cat <<EOF > a\n> one\n>\n> two\n> EOF\n$ b", "cat <<EOF > a\none\n\ntwo\nEOF\nb"),
    ("$ cat <<'EOF'\n$ one\nEOF\nout", "cat <<'EOF'\n$ one\nEOF"),
    ("$ cat <<EOF\nwithout end", "cat <<EOF"),
    ("$ for f in *; do\n> echo $f\n> done\na", "for f in *; do\necho $f\ndone"),
    ("$ echo 'a\n> b'\na", "echo 'a\nb'"),
    ("$ f() {\n> ls\n> }\n$ f\nout", "f() {\nls\n}\nf"),
    ("$ a |\n> b &&\n> c\nout", "a |\nb &&\nc"),
    ("$ echo \"it's\" # don't\n> out", "echo \"it's\" # don't"),
    ("PS C:\\> a `\n>> b\nout", "a `\nb"),
    (">>> for x in y:\n...     print(x)\n...\n1\n>>> 2", "for x in y:\n    print(x)\n\n2"),
    ("Costs $ 5\nAuthor: Jo <jo@example.org>\n$ a", "a"),
    ("npm install", None),
    ("$", None),
    ("", None),
]
SCRIPT_CASES = [
    ("$ npm i\n$ npm test", "npm i\nnpm test"),
    ("# Install\n$ npm i\n\n# Test\n$ npm test", "# Install\nnpm i\n\n# Test\nnpm test"),
    ("$ node -v\nv20.0.0", "node -v"),
    ("$ a \\\n  b", "a \\\n  b"),
    ("jo@host:~$ a\nout", "a"),
    ("npm i\n$ npm test", None),
    ("$HOME/bin/x", None),
    ("# a comment\nnpm i", None),
    ("> file", None),
    ("", None),
]


@pytest.mark.parametrize(("code", "commands"), SESSION_CASES)
def test_session_is_copied_without_prompts_and_output(code: str, commands: str | None) -> None:
    assert commands_of("console", code) == commands


@pytest.mark.parametrize(("code", "commands"), SCRIPT_CASES)
def test_script_with_prompts_is_copied_without_them(code: str, commands: str | None) -> None:
    assert commands_of("bash", code) == commands


def test_code_of_other_languages_is_copied_as_it_is() -> None:
    assert commands_of("ts", "$ a") is None
    assert commands_of("text", "$ a") is None


@pytest.mark.parametrize(("start", "part"), [("", "$ cat <<EOF\n"), ("$ '\n", "> \n"), ("$ ", "("), ("", "a@b ")])
def test_commands_are_found_in_linear_time(start: str, part: str) -> None:
    growth = cpu_time_growth(lambda length: commands_of("console", start + part * length), 1_000)
    assert growth < MAX_LINEAR_GROWTH


def test_page_has_the_commands_beside_the_session() -> None:
    text = '```console\n$ echo "<b>"\n<b>\n```\n\n```ts\n$ a\n```\n'
    html = render(compose(text, str), resolve=UnchangedLinks()).html()
    assert '<code class="language-console" data-copy="echo &quot;&lt;b&gt;&quot;">$ echo "&lt;b&gt;"\n&lt;b&gt;' in html
    assert html.count("data-copy") == 1
