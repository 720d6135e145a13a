"""A page whose elements a script in it finds, with Testing Library, and whose input is actions of WebDriver.

WebDriver BiDi and WebDriver have the same actions.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator

from tests.engines.page import EnginePage, Seen, Target, Text, pattern

from kinfolk.config.settings import ROOT

TESTING_LIBRARY = ROOT / "frontend/node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js"
NO_LIBRARY = "no Testing Library in this page"
KEYS = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Control": "\ue009",
    "Shift": "\ue008",
    "ArrowDown": "\ue015",
}
"""Keys without a character, as WebDriver writes them."""
FIND = """(target) => {
  const visible = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0 && !element.closest('[aria-hidden=true]')
  const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim()
  const matches = (given, text) => new RegExp(given.source, given.flags).test(plain(text))
  const search = (target) => {
    const scopes = target.within ? search(target.within).slice(0, 1) : [document.documentElement]
    const inScope = (scope) => target.role
      ? TestingLibraryDom.queryAllByRole(scope, target.role, {
          hidden: true, ...(target.name && { name: (name) => matches(target.name, name) })
        })
      : [...scope.querySelectorAll(target.css || '*')]
    let found = scopes.flatMap(inScope)
    if (target.text) found = found.filter((element) => matches(target.text, element.textContent))
    if (!target.role && !target.css) {
      found = found.filter((element) => !found.some((other) => other !== element && element.contains(other)))
    }
    found = found.filter(visible)
    return target.is_parent ? found.slice(0, 1).map((element) => element.parentElement) : found
  }
  return search(target)[0]
}"""
READ = f"""(target) => {{
  const element = ({FIND})(target)
  return element
    ? {{ text: element.textContent, href: element.getAttribute('href'), focused: element.matches(':focus') }}
    : null
}}"""
# The center of an element that nothing covers and that does not move, or why there is none.
POINT = f"""async (target) => {{
  const element = ({FIND})(target)
  if (!element) return 'not found'
  const box = () => element.getClientRects()[0] ?? new DOMRect()
  const {{ top, bottom }} = box()
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({{ block: 'center', behavior: 'instant' }})
  const before = box()
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const after = box()
  if (before.x !== after.x || before.y !== after.y) return 'moving'
  const x = Math.round(after.x + after.width / 2), y = Math.round(after.y + after.height / 2)
  const hit = document.elementFromPoint(x, y)
  if (!hit) return 'outside of the viewport'
  const reached = element.contains(hit) || hit.closest('label')?.control === element || hit.contains(element)
  return reached ? [x, y] : `covered by ${{hit.outerHTML.slice(0, 200)}}`
}}"""
Action = dict[str, object]


class ScriptedPage(EnginePage):
    @abstractmethod
    def perform(self, source: Action) -> None:
        """Perform the actions of one input source."""

    def read(self, target: Target) -> Seen | None:
        found = self._in_page(READ, target)
        return Seen(**found) if isinstance(found, dict) else None

    def tap(self, target: Target) -> None:
        places: list[tuple[int, int]] = []
        last: object = None

        def has_place() -> bool:
            nonlocal last
            last = self._in_page(POINT, target)
            if isinstance(last, list):
                places.append((int(last[0]), int(last[1])))
            return bool(places)

        try:
            self.wait_until(has_place, f"{target} can be clicked")
        except AssertionError as error:
            raise AssertionError(f"{error}; {last}") from None
        x, y = places[-1]
        move: Action = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        press: list[Action] = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.perform(_pointer([move, *press]))

    def move_to(self, x: int, y: int) -> None:
        self.perform(_pointer([{"type": "pointerMove", "x": x, "y": y, "duration": 0}]))

    def type(self, text: str) -> None:
        self.perform(_keyboard(list(_strokes(text))))

    def press(self, key: str) -> None:
        keys = [KEYS.get(name, name) for name in key.split("+")]
        down: list[Action] = [{"type": "keyDown", "value": value} for value in keys]
        up: list[Action] = [{"type": "keyUp", "value": value} for value in reversed(keys)]
        self.perform(_keyboard(down + up))

    def _in_page(self, function: str, target: Target) -> object:
        if not target_needs_roles(target):
            return self.evaluate(function, as_json(target))
        checked = f"(target) => 'TestingLibraryDom' in globalThis ? ({function})(target) : '{NO_LIBRARY}'"
        # A navigation after the library was added takes it away.
        while (found := self.evaluate(checked, as_json(target))) == NO_LIBRARY:
            self.evaluate(f"() => {{ {TESTING_LIBRARY.read_text(encoding='utf-8')} }}")
        return found


def target_needs_roles(target: Target | None) -> bool:
    return target is not None and (bool(target.role) or target_needs_roles(target.within))


def as_json(target: Target) -> dict[str, object]:
    return {
        "role": target.role,
        "css": target.css,
        "is_parent": target.is_parent,
        "name": _expression(target.name),
        "text": _expression(target.text),
        "within": None if target.within is None else as_json(target.within),
    }


def _expression(text: Text) -> dict[str, str] | None:
    if not text:
        return None
    found = pattern(text)
    return {"source": found.pattern, "flags": "i" if found.flags & re.IGNORECASE else ""}


def _pointer(actions: list[Action]) -> Action:
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}


def _keyboard(actions: list[Action]) -> Action:
    return {"type": "key", "id": "keyboard", "actions": actions}


def _strokes(text: str) -> Iterator[Action]:
    for character in text:
        yield {"type": "keyDown", "value": character}
        yield {"type": "keyUp", "value": character}
