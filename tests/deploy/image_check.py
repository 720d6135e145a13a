"""Runs the steps of deploy/Dockerfile in a new folder, and its server as its user: `make deploy-check`, as root.

No container engine is needed. The stage `build` is run with its own commands, with `/source` and `/opt/kinfolk` in the
folder. The server then has the environment, the user, the command and the health check of the image. The site belongs
to root; the user writes into its volume and its temporary folder only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.deploy.dockerfile import ignored, instructions
from tests.servers.serving import free_port

from kinfolk.config.settings import ROOT

START_S, STOP_S = 120.0, 15.0


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="kinfolk-image-"))
    folder.chmod(0o755)
    try:
        build(folder)
        serve(folder)
    finally:
        shutil.rmtree(folder)


def step(stage: str, keyword: str) -> str:
    (found,) = (each.text for each in instructions() if (each.stage, each.keyword) == (stage, keyword))
    return found


def build(folder: Path) -> None:
    """Run COPY and RUN of the stage `build`, except the installation of packages of Debian."""
    source = folder / "source"
    source.mkdir()
    for each in instructions():
        if each.stage != "build":
            continue
        if each.keyword == "COPY":
            *paths, target = each.text.split()
            for path in paths:
                copy(ROOT / path, source / (target if len(paths) == 1 and not target.startswith(".") else path))
        elif each.keyword == "RUN" and "apt-get" not in each.text:
            command = each.text.replace("/opt/kinfolk", f"{folder}/opt").replace(
                "python -m venv", f"{python()} -m venv"
            )
            print(f"RUN {each.text}", flush=True)
            environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "MAKEFLAGS": ""}
            subprocess.run(["bash", "-o", "pipefail", "-ec", command], cwd=source, check=True, env=environment)


def copy(path: Path, target: Path) -> None:
    def left_out(at: str, names: list[str]) -> set[str]:
        inside = Path(at).relative_to(ROOT)
        return {name for name in names if ignored(str(inside / name))}

    if path.is_dir():
        shutil.copytree(path, target, ignore=left_out)
    else:
        shutil.copy(path, target)


def python() -> str:
    """An interpreter that the user of the image may run: not one in the home folder of root."""
    candidates = [str(Path(sys.executable).resolve()), "/usr/bin/python3", "/usr/local/bin/python3"]
    runnable = (
        path
        for path in candidates
        if subprocess.run(
            # By `env`: what setpriv itself starts is found with the rights of root.
            ["setpriv", *as_user(), "env", path, "--version"],
            check=False,
            capture_output=True,
        ).returncode
        == 0
    )
    return next(runnable)


def as_user() -> list[str]:
    user, _, group = step("runtime", "USER").partition(":")
    return [f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs", "--bounding-set=-all"]


def serve(folder: Path) -> None:
    """Start the server as the image does, wait until it is healthy, request a page, and stop it."""
    user = int(step("runtime", "USER").partition(":")[0])
    var, temporary, site = folder / "var", folder / "tmp", folder / "site"
    for each in (var, temporary):
        each.mkdir()
        os.chown(each, user, user)
    site.mkdir()
    (site / "kinfolk.toml").write_text('family = "Acme"\naccounts = false\n')
    docs = site / "repos/acme/widgets/main/docs"
    docs.mkdir(parents=True)
    (docs / "overview.md").write_text("# Overview\n\nText.\n")
    (site / "libraries").mkdir()
    (site / "libraries/widgets.toml").write_text('repo = "acme/widgets"\n')
    port = str(free_port())
    environment = image_environment({"/opt/kinfolk": f"{folder}/opt", "/site": str(site), "/var/lib/kinfolk": str(var)})
    environment |= {"HOME": str(temporary), "TMPDIR": str(temporary), "KINFOLK_MIRROR": "off"}
    command = [*json.loads(step("runtime", "ENTRYPOINT")), *json.loads(step("runtime", "CMD"))]
    arguments = [port if part == "8000" else "127.0.0.1" if part == "0.0.0.0" else part for part in command]  # noqa: S104
    started = time.monotonic()
    process = subprocess.Popen(["setpriv", *as_user(), *arguments], cwd=site, env=environment, start_new_session=True)
    try:
        health = json.loads(step("runtime", "HEALTHCHECK").partition("CMD ")[2])
        check = [part.replace(":8000", f":{port}") for part in health]
        while subprocess.run(check, check=False, env=environment, capture_output=True).returncode:
            if process.poll() is not None or time.monotonic() - started > START_S:
                raise SystemExit("the server is not healthy")
            time.sleep(0.5)
        print(f"healthy after {time.monotonic() - started:.1f} s", flush=True)
        page = "/widgets/latest/docs/overview"
        request = f"import urllib.request as r; print(r.urlopen('http://127.0.0.1:{port}{page}', timeout=60).status)"
        status = subprocess.run(["python", "-c", request], check=True, env=environment, capture_output=True, text=True)
        print(f"GET {page}: {status.stdout.strip()}", flush=True)
        stopped = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code = process.wait(STOP_S)
        print(f"stopped by SIGTERM with status {code} after {time.monotonic() - stopped:.1f} s", flush=True)
        if code:
            raise SystemExit(f"the server ended with status {code}")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    written = [path for path in (*site.rglob("*"), *(folder / "opt").rglob("*")) if path.lstat().st_uid == user]
    if written:
        raise SystemExit(f"the server wrote outside of its volume: {written[:5]}")
    if not any(var.iterdir()):
        raise SystemExit("the server wrote nothing into its volume")


def image_environment(places: Mapping[str, str]) -> dict[str, str]:
    """The environment of the image, with its folders in others."""
    values = dict(re.findall(r"(\w+)=(\S+)", step("runtime", "ENV")))
    for path, place in places.items():
        values = {name: re.sub(rf"{path}(?=$|/)", place, value) for name, value in values.items()}
    return values | {"PATH": values["PATH"].replace("$PATH", os.environ["PATH"])}


if __name__ == "__main__":
    main()
