"""Creates real upstream repositories with the git binary, for the tests of sources."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.mirror import BranchRequirements, MirrorSource
from kinfolk.runtime.errors import InvalidFile

QUERY = Ref("family/query", "main")
QUERY_V4 = Ref("family/query", "v4")
TABLE = Ref("family/table", "main")
DOCS = BranchRequirements(docs_roots=("docs",))

GOOD = '{"sections": []}'
BAD = '{"sections": ['

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{role}_{attribute}": "tests" for role in ("AUTHOR", "COMMITTER") for attribute in ("NAME", "EMAIL")},
}


def git(*arguments: str | Path, stdin: bytes = b"") -> str:
    command = ["git", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=True, env=ENVIRONMENT).stdout.decode()


@dataclass
class Upstreams:
    """Bare repositories below one folder, with commits that need no work tree."""

    folder: Path
    commits: int = field(default=0)

    @property
    def url_template(self) -> str:
        return f"file://{self.folder}/{{owner}}+{{repo}}/repo"

    def path(self, ref: Ref) -> Path:
        return self.folder / ref.repo.replace("/", "+") / "repo"

    def commit(self, ref: Ref, files: Mapping[str, str | bytes], *, mode: str = "100644", replace: bool = False) -> str:
        """Commit these files to the branch; with another mode, symbolic links."""
        path = self.path(ref)
        if not path.exists():
            git("init", "--bare", "--quiet", "--template=", path)
        self.commits += 1
        known = git(f"--git-dir={path}", "for-each-ref", f"refs/heads/{ref.branch}")
        lines = [
            f"commit refs/heads/{ref.branch}\n".encode(),
            f"committer T <t@example.org> {1_700_000_000 + self.commits} +0000\ndata 0\n".encode(),
            f"from refs/heads/{ref.branch}^0\n".encode() if known else b"",
            b"deleteall\n" if replace else b"",
        ]
        for name, content in files.items():
            body = content.encode() if isinstance(content, str) else content
            lines.append(b"M %s inline %s\ndata %d\n%s\n" % (mode.encode(), name.encode(), len(body), body))
        git(f"--git-dir={path}", "fast-import", "--quiet", stdin=b"".join(lines))
        return self.tip(ref)

    def tip(self, ref: Ref) -> str:
        return git(f"--git-dir={self.path(ref)}", "rev-parse", f"refs/heads/{ref.branch}").strip()


def family(folder: Path) -> Upstreams:
    """Two repositories with three branches of docs."""
    upstreams = Upstreams(folder)
    for ref in (QUERY, QUERY_V4, TABLE):
        upstreams.commit(ref, {"docs/config.json": GOOD, "docs/page.md": f"# {ref}\n", "LICENSE": "MIT\n"})
    return upstreams


def validate(path: str, content: bytes) -> None:
    if content.decode() != GOOD:
        raise InvalidFile(path, "sections", "it never ends")


def mirror(upstreams: Upstreams, root: Path, *refs: Ref, timeout_s: float = 20) -> MirrorSource:
    requirements = dict.fromkeys(refs or (QUERY, QUERY_V4, TABLE), DOCS)
    return MirrorSource(root, requirements, validate, url_template=upstreams.url_template, timeout_s=timeout_s)
