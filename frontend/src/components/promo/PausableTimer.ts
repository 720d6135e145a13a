/** Calls `act` each time `everyMs` have passed while it runs. Time that has passed before a pause counts. */
export class PausableTimer {
  #timer: ReturnType<typeof setTimeout> | undefined
  #leftMs: number
  #startedAt = 0

  constructor(
    readonly everyMs: number,
    readonly act: () => void,
  ) {
    this.#leftMs = everyMs
  }

  set running(running: boolean) {
    if (running) this.#start()
    else this.#pause()
  }

  /** Starts the interval over. */
  reset(): void {
    const wasRunning = this.#timer !== undefined
    this.#pause()
    this.#leftMs = this.everyMs
    if (wasRunning) this.#start()
  }

  #start(): void {
    if (this.#timer !== undefined) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#leftMs = this.everyMs
      this.#start()
      this.act()
    }, this.#leftMs)
  }

  #pause(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt))
  }
}
