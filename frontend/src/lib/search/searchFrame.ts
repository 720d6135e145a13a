// What the frame of the search dialog shows without the files of the search. Constants: bundles inline them.

const CLOSE_HTML = '<form method="dialog"><button class="button button-quiet">Close</button></form>'

export const SEARCH_LOADING_HTML = `<div class="empty-state"><p role="status">Loading search…</p>${CLOSE_HTML}</div>`

export const SEARCH_FAILED_HTML =
  '<div class="empty-state" role="alert"><h2>Search is unreachable</h2><p>Check your connection.</p>' +
  '<button type="button" class="button" data-search>Try again</button>' +
  `<p><a href="/search" class="text-button">Open the search page</a></p>${CLOSE_HTML}</div>`
