// Ids of the layout. Each begins with `Site-`, which neither a heading nor an anchor of an author can (`is_reserved` in
// `content/markdown/links/slugs.py`), so that `#content` leads to a heading "Content". Sections of pages without Markdown are exceptions:
// links such as `/#libraries` lead to them. `layoutIds.test.ts` checks all ids.

/** Begins the ids of the layout, also those that React makes. */
export const ID_PREFIX = 'Site-'

/** The id of `<main>`. */
export const CONTENT_ID = 'Site-content'

/** The id of the live region for screen readers. */
export const ANNOUNCER_ID = 'Site-announcer'

/** The id of the part of the symbol popover that describes a name. */
export const SYMBOL_ID = 'Site-symbol'
