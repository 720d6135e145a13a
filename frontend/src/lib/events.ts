// Events on `document` between the boot script, the app and the other bundles.

/** The reader's framework changed. */
export const FRAMEWORK_CHANGED = 'kinfolk:framework'
/** React has hydrated the page. */
export const HYDRATED = 'kinfolk:hydrated'
/** The document has new markup: after a visit, or after React rendered HTML from the server. */
export const MARKUP_CHANGED = 'kinfolk:markup'
/** Another page has replaced the previous one in the same document. */
export const VISITED = 'kinfolk:visited'
/** The applied theme may have changed. */
export const THEME_CHANGED = 'kinfolk:theme'
/** The reader opens the search. A listener that opens it calls `preventDefault`. */
export const SEARCH_WANTED = 'kinfolk:search'
/** The search is about to open. */
export const SEARCH_OPENED = 'kinfolk:search-opened'
/** The search cannot open: what it needs did not load. */
export const SEARCH_FAILED = 'kinfolk:search-failed'
/** The reader pressed a button of the `reader` bundle; `detail` is its name. */
export const READER_ACTION = 'kinfolk:reader'
/** What the reader saved has changed. */
export const SAVED_CHANGED = 'kinfolk:saved'
/** A topic of live events has a new state, which is the `detail`. */
export const LIVE_CHANGED = 'kinfolk:live'
/** A promotion slot became visible, or its refresh interval passed. Dispatched on the slot's element. */
export const SLOT_SEEN = 'kinfolk:slot'
/** The reader wants the demo of a library. Dispatched on its frame, once its files are loaded. */
export const DEMO_WANTED = 'kinfolk:demo'
