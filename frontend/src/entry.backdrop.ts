// Bundle `backdrop`: animates the shapes behind the home page, and the strand that a reader clicks. The compositor runs the
// animations of the shapes; this script starts the next ones every two minutes.
import { pullStrands } from './components/home/pullStrands'
import { EASING, drawBlobs, blobTransform, animationStep } from './lib/home/backdrop'
import { MARKUP_CHANGED } from './lib/events'

/** The radius at which a blob is drawn. Small: it has no detail that scaling could lose. */
const DRAWN = 300

const still = matchMedia('not (prefers-reduced-motion: no-preference)')

/** The animation in one element, until `end`. */
class Backdrop {
  private readonly blobs: HTMLElement[] = []
  private steps = 0
  private timer = 0
  /** When the next step is due, on the page's clock; while the page is hidden, how long it is to go. */
  private due = 0
  private left = 0

  constructor(readonly place: HTMLElement) {
    document.addEventListener('visibilitychange', this.follow)
    this.follow()
  }

  end(): void {
    document.removeEventListener('visibilitychange', this.follow)
    clearTimeout(this.timer)
    this.place.replaceChildren()
  }

  /** Pauses the animation while the tab is hidden. */
  private readonly follow = () => {
    clearTimeout(this.timer)
    const moving = this.place.getAnimations({ subtree: true })
    if (document.hidden) {
      for (const animation of moving) animation.pause()
      this.left = Math.max(0, this.due - performance.now())
    } else {
      for (const animation of moving) animation.play()
      this.await(this.left)
    }
  }

  private await(ms: number): void {
    this.due = performance.now() + ms
    this.timer = window.setTimeout(this.move, ms)
  }

  private readonly move = () => {
    const { duration, next } = animationStep(this.steps)
    const timing = { duration, easing: EASING }
    for (const [index, blob] of drawBlobs(Math.random).entries()) {
      const drawn = this.blobs[index] ?? this.draw()
      const before = drawn.style.transform
      drawn.style.transform = blobTransform(blob, DRAWN)
      // Each blob fades by itself: the opacity of all together would need one more layer of the window's size.
      drawn.animate(before ? { transform: [before, drawn.style.transform] } : { opacity: ['0', '1'] }, timing)
    }
    this.steps += 1
    this.await(next)
  }

  private draw(): HTMLElement {
    const blob = document.createElement('i')
    this.place.append(blob)
    this.blobs.push(blob)
    return blob
  }
}

let current: Backdrop | undefined

/** Starts on a page with a backdrop, and ends when a visit has removed it. */
function renew(): void {
  const place = still.matches ? null : document.querySelector<HTMLElement>('[data-backdrop]')
  if (place === (current?.place ?? null)) return
  current?.end()
  current = place ? new Backdrop(place) : undefined
}

function whenIdle(): void {
  if ('requestIdleCallback' in window) requestIdleCallback(renew)
  else setTimeout(renew, 200)
}

pullStrands()
document.addEventListener(MARKUP_CHANGED, renew)
still.addEventListener('change', renew)
if (document.readyState === 'complete') whenIdle()
else addEventListener('load', whenIdle)
