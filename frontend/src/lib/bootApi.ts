// The interface between the boot scripts, which every page runs, and the components and bundles that a page may load.

export type ColorMode = 'auto' | 'light' | 'dark'

/** Addresses of the files of a build that scripts load, each list separated by spaces, a bundle's own file first. */
export interface BuildFiles {
  /** Hydrates the page. */
  app: string
  searchDialog: string
  promotions: string
  reader: string
  liveEvents: string
  /** The symbol popover of names in code blocks. */
  codeNames: string
  /** Shows diagrams, which a frame draws. */
  diagrams: string
  diagramFrame: string
  /** Stylesheets and scripts of parts of the site. */
  areas: string
}

/** What the bundle of names in code exports. */
export interface CodeNamesBundle {
  /** Takes an event in a code block. Those that came before the bundle was loaded are of use to it. */
  receive(event: Event): void
}

/** What the inline boot script puts on `window`. */
export interface BootApi {
  /** True once React has hydrated the page. */
  hydrated: boolean
  mode: ColorMode
  /** The path below which the site is served, such as `/docs`; empty at the root of its host. */
  base: string
  /** Set by the boot script, as is the next one. */
  files?: BuildFiles
  /** Loads the stylesheets of which the page contains only what it needs. Rejects if one cannot load. */
  loadWholeStyles?(): Promise<unknown>
  /** True once the boot script, which is loaded after the first paint, has run or failed. */
  bootEnded?: boolean
  /** Reads a stored choice. Where storage is forbidden, a choice lasts as long as the document. */
  read(key: string): string | null | undefined
  write(key: string, value: string): void
  /** Applies the color mode and stores it. */
  setMode(mode: ColorMode): void
  /** Shows the panels and links of the framework and stores it: the reader has chosen it. */
  setFramework(framework: string): void
  /** Shows them without storing it. */
  showFramework(framework: string): void
  /** Shows those of the framework in the URL, else of the stored one. Opening a page stores nothing. */
  applyFramework(): void
  /** Applies stored choices to the current markup. Idempotent. */
  applyPreferences(): void
  findHashTarget(hash: string): HTMLElement | null
  /** The target, with all opened that hides it. */
  openHashTarget(hash: string): HTMLElement | null
  /** Scrolls the docs menu, never the page, to its stored position or to the current page. */
  scrollMenuToActive(): void
  /** Repeats the click and the keys that came before the boot script. */
  releaseInput(): void
  /** Text typed since the reader opened the search, until the search box is rendered; undefined while it is closed. */
  pendingSearch?: string
}

/** Matches the framework in a docs URL. */
export const FRAMEWORK_PATH = '/docs/framework/([A-Za-z0-9_-]+)'

/** The id of the `noscript` element with the `@font-face` rules of web fonts that a page does not begin with. */
export const WEB_FONTS = 'Site-web-fonts'

/** Placed after the markup that stored choices change, so that it is painted with them. */
export const PREFERENCES_SCRIPT = '__kinfolk.applyPreferences()'

/** Placed after the docs menu. */
export const MENU_SCRIPT = `${PREFERENCES_SCRIPT};__kinfolk.scrollMenuToActive()`

declare global {
  interface Window {
    __kinfolk: BootApi
  }
}
