"""Settings have valid defaults and are checked."""

from __future__ import annotations

import pytest
from tests.sites.sample_site import read_settings

from kinfolk.config.settings import SETTINGS, check_secret, is_development
from kinfolk.runtime.errors import Invalid


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KINFOLK_REFRESH_S", "soon"),
        ("KINFOLK_RENDERERS", "0"),
        ("KINFOLK_ORIGIN", "kinfolk.example"),
        ("KINFOLK_LOG", "xml"),
        ("KINFOLK_MAINTAINERS", "ada"),
        ("KINFOLK_MAINTAINER_ORGANIZATION", "a/b"),
        ("KINFOLK_REFRESH_S", "nan"),
    ],
)
def test_error_names_an_invalid_setting(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        read_settings({name: value})


@pytest.mark.parametrize(
    "origin",
    [
        "http://127.0.0.1:8000",
        "http://localhost:3000",
        "http://[::1]:8000",
        "https://docs.localhost",
        "http://0.0.0.0:8000",
    ],
)
def test_site_on_this_machine_needs_no_secret(origin: str) -> None:
    settings = read_settings({"KINFOLK_ORIGIN": origin})
    assert is_development(settings)
    check_secret(settings)


@pytest.mark.parametrize("origin", ["https://tanstack.com", "http://10.0.0.1", "https://127.0.0.1.example.com"])
@pytest.mark.parametrize("secret", ["", "development", "short", "x" * 31])
def test_public_site_needs_a_secret(origin: str, secret: str) -> None:
    with pytest.raises(Invalid, match="KINFOLK_SECRET"):
        check_secret(read_settings({"KINFOLK_ORIGIN": origin, "KINFOLK_SECRET": secret}))
    check_secret(read_settings({"KINFOLK_ORIGIN": origin, "KINFOLK_SECRET": "x" * 32}))


def test_every_setting_has_a_valid_default_and_a_description() -> None:
    read_settings({})
    assert all(setting.help and setting.name.startswith("KINFOLK_") for setting in SETTINGS)
