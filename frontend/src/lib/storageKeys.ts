// Keys of what is stored in the browser. Constants only: each bundle gets its own copy, so the boot script shares no file
// with the app.

/** Followed by a library: which groups of its docs menu the reader opened or closed, `{"Guides": false}`. */
export const MENU_GROUPS = 'groups:'
/** Followed by a library: until when the notice about old docs stays hidden, in milliseconds since 1970. */
export const HIDDEN_NOTICE = 'notice:'
/** Followed by a kind of tabs: the chosen tab. */
export const CHOSEN_TAB = 'tabs:'
/** The URL of the font that the browser has fetched. */
export const FETCHED_FONT = 'font'
/** The key of the announcement that the reader closed. */
export const CLOSED_ANNOUNCEMENT = 'announcement'
/** Followed by a library: the version or the release whose docs the reader pinned; empty without one. */
export const PINNED_VERSION = 'pin:'
export const PAGE_WIDTH = 'width'
/** Whether third-party scripts may be loaded: yes or no. */
export const CONSENT = 'consent'
/** Followed by a library, in the session's storage: how far its docs menu is scrolled. */
export const MENU_SCROLL = 'menu:'
/** In the session's storage: how far each entry of the history is scrolled. */
export const SCROLL_POSITIONS = 'scroll'
/** In the session's storage: when a page was loaded again because its build is gone, in milliseconds since 1970. */
export const RELOADED_AT = 'reloaded'

/** Followed by a kind of saved items: bookmarks, notes and so on, as JSON. */
export const SAVED_ITEMS = 'saved:'
/** Whose saved items these are, and when they were exchanged with the server last. */
export const SAVED_STATE = 'saved-state'

/** The framework that the reader chose. */
export const FRAMEWORK = 'framework'
/** Followed by a library that lacks the chosen framework: that one, and the one that the reader chose in its place. */
export const FRAMEWORK_OF = 'framework:'
/** The kind of tabs whose choice is the reader's framework. */
export const FRAMEWORK_TABS = 'framework'
/** Kinds of tabs whose choice holds on every page, separated by spaces. */
export const REMEMBERED_TABS = 'package-manager bundler'
