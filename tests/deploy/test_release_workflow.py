"""The workflow of a release, and the versions of Python that the package claims."""

from __future__ import annotations

import re
import subprocess
from typing import Any

from tests.deploy.deploy_files import DEPLOY, load_yaml, run, tool

from kinfolk.config.settings import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
RELEASE = load_yaml(ROOT / ".github/workflows/release.yml")
JOBS: dict[str, Any] = RELEASE["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]


def script_of(name: str) -> str:
    (script,) = (step["run"] for step in STEPS if step.get("name") == name)
    return str(script)


def test_workflows_are_valid() -> None:
    ran = run(tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS))
    assert ran.returncode == 0, ran.stdout
    schema = "custom.github-workflows-require-timeout"
    ran = run(tool("check-jsonschema"), "--builtin-schema", schema, *map(str, WORKFLOWS))
    assert ran.returncode == 0, ran.stdout


def test_scripts_of_workflows_have_no_faults_of_syntax() -> None:
    for step in STEPS:
        ran = subprocess.run(["bash", "-n"], input=step.get("run", ""), check=False, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr


def test_scripts_have_no_text_from_outside() -> None:
    """Expressions are replaced before the shell reads a script, so that a value could be code of it."""
    assert [step["name"] for step in STEPS if "${{" in step.get("run", "")] == []


def test_release_has_no_permission_but_those_of_its_jobs() -> None:
    assert RELEASE["permissions"] == {"contents": "read"}
    assert {name for name, job in JOBS.items() if job["permissions"].get("contents") == "write"} == {"notes"}
    assert {name for name, job in JOBS.items() if "environment" in job} == {"package", "image"}
    assert not any("secrets." in str(step) and "GITHUB_TOKEN" not in str(step) for step in STEPS)


def test_actions_have_a_major_version_and_are_those_of_the_other_workflows() -> None:
    uses = [
        step["uses"]
        for path in WORKFLOWS
        for job in load_yaml(path)["jobs"].values()
        for step in job["steps"]
        if "uses" in step
    ]
    versions: dict[str, set[str]] = {}
    for each in uses:
        name, _, version = each.partition("@")
        assert re.fullmatch(r"v\d+|release/v\d+", version), each
        versions.setdefault(name, set()).add(version)
    assert {name for name, found in versions.items() if len(found) > 1} == set()


def test_tag_must_name_the_version_of_the_package_and_of_the_changelog() -> None:
    script = script_of("Compare the tag with the version of the package")
    changed = script.replace("GITHUB_OUTPUT", "OUTPUT_FILE")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OUTPUT_FILE": "/dev/null", "GITHUB_REF_NAME": "v99.0.0"}
    ran = run("bash", "-e", "-c", changed, cwd=ROOT, env=environment)
    assert ran.returncode != 0


def test_notes_of_a_release_are_its_section_of_the_changelog(tmp_path: Any) -> None:
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.0 - 2026-11-01\n\n- New\n\n## 1.1.0 - 2026-10-01\n\n- Old\n"
    )
    command = script_of("Use the section of the changelog as the text of the release").splitlines()[0]
    ran = run("bash", "-e", "-c", command, cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "VERSION": "1.2.0"})
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "notes.md").read_text().strip() == "- New"


def test_image_is_built_for_two_architectures_with_attestations() -> None:
    (build,) = (step["with"] for step in STEPS if step.get("uses", "").startswith("docker/build-push-action"))
    assert build["platforms"] == "linux/amd64,linux/arm64"
    assert (ROOT / build["file"]).samefile(DEPLOY / "Dockerfile")
    assert build["sbom"] is True
    arguments = re.findall(r"^ARG (\w+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert {line.partition("=")[0] for line in build["build-args"].splitlines()} <= set(arguments)
    attested = [step["uses"].partition("@")[0] for step in STEPS if "attest" in step.get("uses", "")]
    assert attested == ["actions/attest-build-provenance", "actions/attest-sbom", "actions/attest-build-provenance"]
