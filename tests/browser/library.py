"""A small library for the browser: every kind of thing a docs page may hold, in two versions and two frameworks."""

from __future__ import annotations

import json
from pathlib import Path

LONG = "\n\n".join(f"## Part {number}\n\n" + "Words to scroll by. " * 60 for number in range(1, 13))

TABS = """---
title: {title}
---

## Install

<!-- ::start:tabs variant="package-manager" -->

react: one-package

<!-- ::end:tabs -->

## Install more

<!-- ::start:tabs variant="package-manager" -->

react: another-package

<!-- ::end:tabs -->
"""

EVERYTHING = """---
title: Everything
---

> [!NOTE]
> A note.

> [!WARNING]
> A warning.

## Code

```ts title="src/{long}.ts"
const line = "{long}"
const added = 1 // [!code ++]
const removed = 2 // [!code --]
```

### Words in `code`

| Column | {long} |
| ------ | ------ |
| one    | two    |

<details><summary>More</summary>

Inside.

</details>

## Embed

<iframe src="https://www.youtube.com/embed/x" width="900" height="500"></iframe>

![A picture](./picture.png)

- [x] done
- [ ] to do

{long}
""".replace("{long}", "a-word-that-is-much-longer-than-any-telephone-is-wide-" * 3)

DIAGRAM = f"""---
title: Diagram
---

{LONG}

```mermaid
flowchart LR
  A[Start] --> B[End]
```
"""

PANELS = """---
title: Panels
---

## For everybody

<!-- ::start:framework -->

# React

## Only React

React's words.

# Vue

## Only Vue

Vue's words.

<!-- ::end:framework -->
"""


def page(title: str, text: str) -> str:
    return f"---\ntitle: {title}\n---\n\n{text}\n"


def link(label: str, to: str) -> dict[str, str]:
    return {"label": label, "to": to}


def guides(framework: str, *names: str) -> dict[str, object]:
    return {
        "label": framework,
        "children": [link(name.title(), f"framework/{framework}/guides/{name}") for name in names],
    }


FILLERS = [f"topic-{number}" for number in range(40)]

LATEST: dict[str, object] = {
    "sections": [
        {
            "label": "Start",
            "children": [link("Panels", "panels"), link("Everything", "everything"), link("Diagram", "diagram")],
            "frameworks": [
                {"label": "react", "children": [link("Overview", "framework/react/overview")]},
                {"label": "vue", "children": [link("Overview", "framework/vue/overview")]},
            ],
        },
        {
            "label": "Guides",
            "collapsible": True,
            "children": [],
            "frameworks": [guides("react", "tabs", "more-tabs", "long", *FILLERS), guides("vue", "tabs")],
        },
    ]
}
OLD: dict[str, object] = {
    "sections": [
        {
            "label": "Start",
            "children": [],
            "frameworks": [
                {"label": "react", "children": [link("Overview", "framework/react/overview")]},
                guides("react", "tabs"),
            ],
        }
    ]
}


def write_library(root: Path) -> Path:
    """The library's files below `root`, laid out for `kinfolk serve --content`."""
    files = {
        "main/docs/config.json": json.dumps(LATEST),
        "main/docs/panels.md": PANELS,
        "main/docs/everything.md": EVERYTHING,
        "main/docs/diagram.md": DIAGRAM,
        "main/docs/too-complex.md": page("Too complex", "A long line. " * 100 + "\n\n" + "## Same\n" * 6_000),
        "main/docs/framework/react/overview.md": page("Overview", "[Tabs](./guides/tabs.md)\n\n" + LONG),
        "main/docs/framework/vue/overview.md": page("Overview", "Short."),
        "main/docs/framework/react/guides/tabs.md": TABS.format(title="Tabs"),
        "main/docs/framework/react/guides/more-tabs.md": TABS.format(title="More Tabs"),
        "main/docs/framework/vue/guides/tabs.md": TABS.format(title="Tabs"),
        "main/docs/framework/react/guides/long.md": page("Long", LONG),
        "v4/docs/config.json": json.dumps(OLD),
        "v4/docs/framework/react/overview.md": page("Overview", "The old overview."),
        "v4/docs/framework/react/guides/tabs.md": TABS.format(title="Tabs"),
    }
    for name in FILLERS:
        files[f"main/docs/framework/react/guides/{name}.md"] = page(name.title(), "Some words.")
    for name, text in files.items():
        path = root / "TanStack/query" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
