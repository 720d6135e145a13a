// The pages that a reader is most likely to go to from here.

/** A page's worth of menu on a large screen; on a phone the menu is out of sight and there is little to fetch. */
const MOST = 16
const MARGIN = '100px'

/** The browser tells some of how the line is; not all browsers do. */
interface Line {
  saveData?: boolean
  effectiveType?: string
}

function isSpare(): boolean {
  const { connection = {} } = navigator as Navigator & { connection?: Line }
  return !connection.saveData && (connection.effectiveType ?? '4g') === '4g'
}

/** The links of the docs menu that can be seen, or nearly so: those next to the page one reads come first. */
export async function linksNear(): Promise<HTMLAnchorElement[]> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-menu] a[href^="/"]')]
  const here = links.findIndex((link) => link.ariaCurrent)
  if (here < 0 || !isSpare()) return []
  const entries = await new Promise<IntersectionObserverEntry[]>((found) => {
    const observer = new IntersectionObserver(
      (all) => {
        observer.disconnect()
        found(all)
      },
      { rootMargin: MARGIN },
    )
    for (const link of links) observer.observe(link)
  })
  const seen = new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target))
  const near: HTMLAnchorElement[] = []
  for (let away = 1; away < links.length && near.length < MOST; away += 1) {
    for (const link of [links[here + away], links[here - away]]) if (link && seen.has(link)) near.push(link)
  }
  return near
}
