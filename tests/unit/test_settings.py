"""Settings have valid defaults and are checked."""

from __future__ import annotations

import pytest

from kinfolk.errors import Invalid
from kinfolk.settings import SETTINGS, read_settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KINFOLK_REFRESH_S", "soon"),
        ("KINFOLK_RENDERERS", "0"),
        ("KINFOLK_ORIGIN", "kinfolk.example"),
        ("KINFOLK_LOG", "xml"),
        ("KINFOLK_REFRESH_S", "nan"),
    ],
)
def test_error_names_an_invalid_setting(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        read_settings({name: value})


def test_every_setting_has_a_valid_default_and_a_description() -> None:
    read_settings({})
    assert all(setting.help and setting.name.startswith("KINFOLK_") for setting in SETTINGS)
