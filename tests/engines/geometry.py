"""Positions and sizes of the elements of a page that readers see it by, compared between two engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TOLERANCE_PX = 2.0
ROUNDED = 0.015
"""Share of a height, or of a distance from the top, that is allowed on top: engines round each line with code in it."""
LANDMARKS = (
    "header, main, nav, aside, footer, search, form, h1, h2, h3, table, figure, dialog[open], main img, main article,"
    " main section, main li > a, main button, main input, [class*=card]"
)
# Fonts that loaded too late are used, too: `font-display: optional` would leave them out on a busy machine.
LOAD_FONTS = """async () => {
  for (const face of document.fonts) face.display = 'block'
  await Promise.allSettled([...document.fonts].map((face) => face.load()))
  await document.fonts.ready
  const images = [...document.images].filter((image) => image.loading !== 'lazy')
  await Promise.allSettled(images.map((image) => image.decode()))
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  return true
}"""
# WebKit rounds the height of a line and the widths of letters: for the time of the measurement, all are whole or exact.
# Where lines of `text-wrap: pretty` and `balance` break is a choice of the engine: all break at the last fitting word.
# CSS does not define how the automatic layout of a table shares the width: all columns are equally wide.
# The parent of an element is the nearest landmark around it.
MEASURE = """(selector) => {
  const style = new CSSStyleSheet()
  const exact = ['line-height: 24px', 'text-rendering: geometricPrecision', 'text-wrap-style: auto']
  const columns = ['table-layout: fixed', 'width: 100%', 'min-width: 0']
  const forced = (declarations) => declarations.map((one) => one + ' !important;').join(' ')
  style.replaceSync(`*, ::before, ::after { ${forced(exact)} } table { ${forced(columns)} }`)
  document.adoptedStyleSheets.push(style)
  for (const element of document.querySelectorAll('*')) if (element.scrollTop) element.scrollTop = 0
  scrollTo({ top: 0, behavior: 'instant' })
  const found = [...document.querySelectorAll(selector)]
  const box = (element) => element.getBoundingClientRect()
  const measured = found.map((element, index) => {
    const { x, y, width, height } = box(element)
    const shown = element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0 &&
      getComputedStyle(element).display !== 'inline'
    const parent = found.indexOf(element.parentElement?.closest(selector))
    const words = element.textContent.trim().replace(/\\s+/g, ' ').slice(0, 30)
    const name = element.localName + [...element.classList].map((one) => '.' + one).join('') + ` "${words}"`
    return { index, parent, name, box: shown ? [x, y + scrollY, width, height] : null }
  })
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== style)
  return measured
}"""
SIDES = ("x", "y", "width", "height")


@dataclass(frozen=True)
class Element:
    """A measured element: its parent by index, -1 without one, and its box in the document, None if it is not shown."""

    index: int
    parent: int
    name: str
    box: tuple[float, float, float, float] | None


def read_elements(measured: object) -> list[Element]:
    assert isinstance(measured, list)
    return [Element(one["index"], one["parent"], one["name"], one["box"] and tuple(one["box"])) for one in measured]


def differences(expected: list[Element], actual: list[Element]) -> Iterator[str]:
    """What differs, once for each cause: what moved as far as the element before it or around it is left out."""
    if [one.name for one in expected] != [one.name for one in actual]:
        only = {one.name for one in expected} ^ {one.name for one in actual}
        yield f"other elements: {sorted(only)[:3] or 'in another order'}"
        return
    moves: list[tuple[float, ...] | None] = []
    last: dict[int, tuple[float, ...]] = {}
    for before, after in zip(expected, actual, strict=True):
        if before.box is None or after.box is None:
            moves.append(None)
            if before.box != after.box:
                yield f"{before.name}: {'shown' if after.box else 'not shown'}"
            continue
        move = tuple(new - old for old, new in zip(before.box, after.box, strict=True))
        around = moves[before.parent] if before.parent >= 0 else None
        explained = [one for one in (around, last.get(before.parent), (0.0, 0.0, 0.0, 0.0)) if one is not None]
        for side, name in enumerate(SIDES):
            vertical = {"y": abs(before.box[1] - top_of(before, expected)), "height": before.box[3]}
            allowed = TOLERANCE_PX + ROUNDED * vertical.get(name, 0.0)
            if all(abs(move[side] - one[side]) > allowed for one in explained):
                yield f"{before.name}: {name} {before.box[side]:.1f} is {after.box[side]:.1f}"
        moves.append(move)
        last[before.parent] = move


def top_of(element: Element, elements: list[Element]) -> float:
    """The top of the landmark around an element."""
    around = elements[element.parent].box if element.parent >= 0 else None
    return around[1] if around else 0.0
