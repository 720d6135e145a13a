// Bundle `reader`: what readers save on docs pages (progress, bookmarks, notes, feedback), its exchange with the server, and the web fonts.
// The boot script loads it after the first interaction, on docs pages and for readers who are signed in.
import { serveBookmarks } from './reader/bookmarkButton'
import { exchangeWhenDue } from './reader/exchange'
import { serveFeedback } from './reader/feedbackForm'
import { serveNotes } from './reader/notes'
import { loadPageStyles } from './reader/pageStyles'
import { syncPreferences } from './reader/preferences'
import { fetchWebFonts } from './reader/webFonts'
import { recordReading } from './reader/readingProgress'
import { forgetAccount } from './lib/accounts/savedItems'

fetchWebFonts()
loadPageStyles()
forgetAccount()
serveBookmarks()
serveNotes()
serveFeedback()
recordReading()
syncPreferences()
exchangeWhenDue()
