"""Each code block of docs/deployment.md and docs/operations.md: executed as written, or listed with the reason."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from tests.deploy.deploy_files import program, run
from tests.servers.cdn_apis import serve_cdn
from tests.sites.documented_site import SETTINGS, write_site
from tests.suite.documents import CodeBlock, code_blocks
from tests.suite.shown_files import with_files

from kinfolk.config.settings import ROOT

PAGES = ("docs/deployment.md", "docs/operations.md")
BLOCKS = [block for block in code_blocks() if block.file in PAGES]
EXECUTED_ALONE = ("useradd",)
"""Commands with a test of their own in this file."""
EXECUTED = ("printf", "kinfolk backup", "kinfolk restore", "kinfolk purge")
"""Commands whose blocks run in a shell, in the folder of the site of the documents."""
TESTED_BY = {
    "kinfolk serve": ("tests/servers/serving.py", '"serve"'),
    "kinfolk sync": ("tests/processes/family.py", "sync"),
    "kinfolk export": ("tests/processes/cli", '"export"'),
    "kinfolk index push": ("tests/processes/search/test_algolia_python_client.py", "import client_of, push"),
    "curl -X BAN": ("tests/processes/web/test_shared_caches.py", "BAN"),
    "docker build": ("tests/deploy/image_check.py", "make deploy-check"),
    "docker run": ("tests/deploy/image_check.py", "image_environment"),
    "helm install": ("tests/deploy/test_helm_chart.py", "render_chart.py"),
    "/srv/docs-venv/bin/pip install": ("tests/deploy/image_check.py", "RUN {each.text}"),
    "pip install": ("tests/deploy/image_check.py", "RUN {each.text}"),
    "pg_dump": ("tests/unit/cli/backup/test_backup_and_restore.py", "code_blocks()"),
    "pg_restore": ("tests/unit/cli/backup/test_backup_and_restore.py", "code_blocks()"),
    "systemctl enable": ("tests/deploy/test_systemd_units.py", "systemd-analyze"),
}
"""Commands that need what is not here, such as a container engine or a cluster: where their effect is tested."""
NOT_RUN = {
    "cd": "only a folder of a server",
    "python3 -m venv": "makes a folder of a server; image_check.py does the same in its own",
}
COMMANDS_OVERVIEW = "kinfolk new DIR"
"""The first line of the list of commands: test_documentation.py compares it with the command line."""


def kind(block: CodeBlock) -> str:
    if block.title.startswith("deploy/"):
        return "file"
    if block.language not in ("", "sh"):
        return block.language
    if re.match(r"(location|proxy_)", block.text):
        return "nginx"
    return "toml" if re.match(r"(#.*\n)*\[\[", block.text) else "commands"


def of(name: str) -> list[CodeBlock]:
    return [block for block in BLOCKS if kind(block) == name and not block.text.startswith(COMMANDS_OVERVIEW)]


def lines(block: CodeBlock) -> list[str]:
    """The commands of a block without the settings before them."""
    return [re.sub(r"^(?:[A-Z_]+=\S+ )+", "", line) for line in block.text.splitlines() if line.strip()]


def where(block: CodeBlock) -> str:
    return f"{block.file}:{block.line}"


def starts_with(line: str, names: tuple[str, ...]) -> bool:
    return any(line == name or line.startswith(f"{name} ") for name in names)


def test_each_block_has_a_kind_that_is_checked() -> None:
    checked = {"file", "nginx", "json", "toml", "commands"}
    assert [where(block) for block in BLOCKS if kind(block) not in checked] == []


@pytest.mark.parametrize("page", PAGES)
def test_shown_files_are_those_of_deploy(page: str) -> None:
    text = (ROOT / page).read_text()
    assert with_files(text) == text, "run `make generate`"


def test_each_command_is_executed_or_listed() -> None:
    known = (*EXECUTED, *EXECUTED_ALONE, *TESTED_BY, *NOT_RUN)
    unknown = [
        f"{where(block)}: {line}" for block in of("commands") for line in lines(block) if not starts_with(line, known)
    ]
    assert unknown == []
    written = [line for block in of("commands") for line in lines(block)]
    assert [name for name in known if not any(starts_with(line, (name,)) for line in written)] == []


@pytest.mark.parametrize("name", TESTED_BY)
def test_command_is_in_the_test_that_is_named(name: str) -> None:
    path, text = TESTED_BY[name]
    files = [ROOT / path] if path.endswith(".py") else list((ROOT / path).rglob("test_*.py"))
    assert any(text in file.read_text() for file in files)


def test_user_of_the_service_is_made(tmp_path: Path) -> None:
    [line] = [line for block in of("commands") for line in lines(block) if line.startswith("useradd ")]
    (tmp_path / "etc").mkdir()
    for name in ("passwd", "group", "shadow", "gshadow"):
        (tmp_path / "etc" / name).touch()
    if os.geteuid() != 0:
        pytest.skip("only root adds users")
    # In the files of a folder, not in those of this machine.
    ran = run(*shlex.split(line.replace("useradd ", f"useradd --prefix {tmp_path} ")))
    assert ran.returncode == 0, ran.stderr
    [user] = (tmp_path / "etc" / "passwd").read_text().splitlines()
    assert re.fullmatch(r"docs:x:\d{3}:\d{3}::/srv/docs:/usr/sbin/nologin", user)


EXECUTED_BLOCKS = [block for block in of("commands") if all(starts_with(line, EXECUTED) for line in lines(block))]


@pytest.mark.parametrize("block", EXECUTED_BLOCKS, ids=where)
def test_commands_are_executed_as_written(block: CodeBlock, tmp_path: Path) -> None:
    write_site(tmp_path / "site")
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | SETTINGS | {"KINFOLK_SITE": str(tmp_path / "site"), "PATH": programs}
    with serve_cdn("hook") as cdn:
        if "kinfolk purge" in block.text:
            environment |= cdn.environment
        elif "kinfolk" in block.text:
            run("kinfolk", "db", "upgrade", env=environment)
        ran = run("bash", "-o", "pipefail", "-euc", block.text, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    if "sha256sum" in block.text:
        assert re.fullmatch(r"[0-9a-f]{10}\n", ran.stdout)
    elif "kinfolk purge" in block.text:
        assert len(cdn.purges) == 1
    else:
        assert (tmp_path / "site.kinfolk").stat().st_size > 0


@pytest.mark.parametrize("block", of("nginx"), ids=where)
def test_parts_for_nginx_are_accepted(block: CodeBlock, tmp_path: Path) -> None:
    folders = "".join(
        f"{name}_temp_path {tmp_path}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = tmp_path / "nginx.conf"
    # Addresses of other hosts are not requested, and ports are not opened, by a test of the file.
    server = (
        block.text if "server {" in block.text else f"server {{ listen 127.0.0.1:1; access_log off;\n{block.text}\n}}"
    )
    file.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {folders}{server} }}")
    ran = run(program("nginx"), "-t", "-p", str(tmp_path), "-c", str(file))
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("block", [*of("toml"), *of("json")], ids=where)
def test_data_can_be_parsed(block: CodeBlock) -> None:
    assert json.loads(block.text) if block.language == "json" else tomllib.loads(block.text)


@pytest.mark.parametrize("block", of("commands"), ids=where)
def test_lines_are_commands_of_a_shell(block: CodeBlock) -> None:
    assert run("bash", "-n", input=block.text).stderr == ""
    assert all(shlex.split(line) for line in block.text.splitlines())
