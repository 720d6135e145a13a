// What the starter and the app tell each other, as events on `document`.

/** The reader's framework changed. */
export const FRAMEWORK_CHANGED = 'kinfolk:framework'
/** The page answers to React. */
export const HYDRATED = 'kinfolk:hydrated'
/** Another page, or new markup, stands in the document. */
export const MARKUP_CHANGED = 'kinfolk:markup'
/** The theme may look different now. */
export const THEME_CHANGED = 'kinfolk:theme'
/** The reader wants to search. Whoever can serve that calls `preventDefault`, which keeps the key from the browser. */
export const SEARCH_WANTED = 'kinfolk:search'
/** A box for promotions has come into view, or has been seen long enough for another one. Told to the box itself. */
export const SLOT_SEEN = 'kinfolk:slot'
