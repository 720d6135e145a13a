"""Literals of `conf.py` are read, and nothing of it runs."""

from __future__ import annotations

from kinfolk.content.markdown.literals.python_config import LARGEST_FILE, read_python_config


def test_literals_of_the_module_are_read() -> None:
    text = 'a = "x"\nb: dict = {"k": [1, (2, None)]}\nc = f(1)\nd = e = 1\nif True:\n    g = 1\nh.i = 2\nj: int\n'
    assert read_python_config(text) == {"a": "x", "b": {"k": [1, (2, None)]}}


def test_no_python_is_empty() -> None:
    for text in ("a = (", "\0", "a = 1" + "+1" * LARGEST_FILE, "a = " + "[" * 5_000, "a = " + "-" * 50_000 + "1"):
        assert read_python_config(text).get("a", 1) == 1
