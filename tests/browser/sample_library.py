"""A sample library for browser tests: every construct of a docs page, two versions and two frameworks."""

from __future__ import annotations

import json
from pathlib import Path

from tests.inputs.api_pages import API_CLASS

LONG_TEXT = "\n\n".join(f"## Part {number}\n\n" + "Words to scroll by. " * 60 for number in range(1, 13))

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

ALL_CONSTRUCTS = """---
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

[![First](./picture.png)](https://example.com/1)
[![Second](./picture.png)](https://example.com/2)

- [x] done
- [ ] to do

A formula in a sentence: $a = b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w$.

{long}
""".replace("{long}", "a-word-that-is-much-wider-than-the-screen-of-a-phone-" * 3)

FILLER = "Words to scroll by. " * 400
ALTERNATIVES = f"""---
title: Alternatives
---

[To the inmost](#inside-the-inmost-tab) [To the bundler](#inside-rsbuild) [To the panel](#inside-vue)

{FILLER}

<details>
<summary>Fold</summary>

Text in a fold.

<!-- ::start:tabs -->

### One

First tab.

### Two

Second tab.

<!-- ::start:tabs -->

#### Three

Third tab.

#### Four

##### Inside the inmost tab

Fourth tab.

<!-- ::end:tabs -->

<!-- ::end:tabs -->

</details>

{FILLER}

<!-- ::start:tabs variant="bundler" -->

# Vite

Text for Vite.

# Rsbuild

## Inside Rsbuild

Text for Rsbuild.

<!-- ::end:tabs -->

<!-- ::start:framework -->

# React

Text for React.

# Vue

## Inside Vue

Text for Vue.

<!-- ::end:framework -->

```ts
{"const longLine = " + "aFunction(anArgument, anotherArgument) + " * 8 + "lastWordOfTheLine"}
```

```console
$ npm install left-pad
added 1 package
```

| {" | ".join("abcdefghijkl")} |
|{"---|" * 12}
| {" | ".join(f"something_long_here_{number}" for number in range(11))} | last_cell |

{FILLER}
"""

DIAGRAM = f"""---
title: Diagram
---

{LONG_TEXT}

```mermaid
flowchart LR
  A[Start] --> B[End]
```
"""

PANELS = """---
title: Panels
---

## For all frameworks

<!-- ::start:framework -->

# React

## Only React

React's words.

# Vue

## Only Vue

Vue's words.

<!-- ::end:framework -->
"""


def docs_page(title: str, text: str) -> str:
    return f"---\ntitle: {title}\n---\n\n{text}\n"


def menu_link(label: str, to: str) -> dict[str, str]:
    return {"label": label, "to": to}


def guide_group(framework: str, *names: str) -> dict[str, object]:
    return {
        "label": framework,
        "children": [menu_link(name.title(), f"framework/{framework}/guides/{name}") for name in names],
    }


FILLER_TOPICS = [f"topic-{number}" for number in range(40)]

LATEST_CONFIG: dict[str, object] = {
    "sections": [
        {
            "label": "Start",
            "children": [
                menu_link("Panels", "panels"),
                menu_link("Everything", "everything"),
                menu_link("Diagram", "diagram"),
            ],
            "frameworks": [
                {"label": "react", "children": [menu_link("Overview", "framework/react/overview")]},
                {"label": "vue", "children": [menu_link("Overview", "framework/vue/overview")]},
            ],
        },
        {
            "label": "Guides",
            "collapsible": True,
            "children": [],
            "frameworks": [
                guide_group("react", "tabs", "more-tabs", "long", *FILLER_TOPICS),
                guide_group("vue", "tabs"),
            ],
        },
    ]
}
OLD_CONFIG: dict[str, object] = {
    "sections": [
        {
            "label": "Start",
            "children": [],
            "frameworks": [
                {"label": "react", "children": [menu_link("Overview", "framework/react/overview")]},
                guide_group("react", "tabs"),
            ],
        }
    ]
}


def write_library(root: Path) -> Path:
    """Write the files of the library below `root`, in the layout of `kinfolk serve --content`."""
    files = {
        "main/docs/config.json": json.dumps(LATEST_CONFIG),
        "main/docs/panels.md": PANELS,
        "main/docs/everything.md": ALL_CONSTRUCTS,
        "main/docs/alternatives.md": ALTERNATIVES,
        "main/docs/diagram.md": DIAGRAM,
        "main/docs/reference/classes/Timer.md": API_CLASS,
        "main/docs/too-complex.md": docs_page("Too complex", "A long line. " * 100 + "\n\n" + "## Same\n" * 6_000),
        "main/docs/framework/react/overview.md": docs_page("Overview", "[Tabs](./guides/tabs.md)\n\n" + LONG_TEXT),
        "main/docs/framework/vue/overview.md": docs_page("Overview", "Short."),
        "main/docs/framework/react/guides/tabs.md": TABS.format(title="Tabs"),
        "main/docs/framework/react/guides/more-tabs.md": TABS.format(title="More Tabs"),
        "main/docs/framework/vue/guides/tabs.md": TABS.format(title="Tabs"),
        "main/docs/framework/react/guides/long.md": docs_page("Long", LONG_TEXT),
        "v4/docs/config.json": json.dumps(OLD_CONFIG),
        "v4/docs/framework/react/overview.md": docs_page("Overview", "The old overview."),
        "v4/docs/framework/react/guides/tabs.md": TABS.format(title="Tabs"),
    }
    for name in FILLER_TOPICS:
        files[f"main/docs/framework/react/guides/{name}.md"] = docs_page(name.title(), "Some words.")
    for name, text in files.items():
        path = root / "TanStack/query" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
