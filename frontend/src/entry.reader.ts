// Bundle `reader`: what readers save on docs pages (progress, bookmarks, notes, feedback), and its exchange with the server.
// The boot script loads it after the first interaction, on docs pages and for readers who are signed in.
import { serveBookmarks } from './reader/bookmarkButton'
import { exchangeWhenDue } from './reader/exchange'
import { serveFeedback } from './reader/feedbackForm'
import { serveNotes } from './reader/notes'
import { syncPreferences } from './reader/preferences'
import { recordReading } from './reader/readingProgress'
import { forgetAccount } from './lib/savedItems'

function loadStyles(): void {
  const { styles = '{}' } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {}
  const href = (JSON.parse(styles) as Record<string, string>)['page-notes']
  if (!href || document.querySelector(`link[href="${href}"]`)) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  // A visit leaves it.
  link.dataset.permanent = ''
  document.head.append(link)
}

loadStyles()
forgetAccount()
serveBookmarks()
serveNotes()
serveFeedback()
recordReading()
syncPreferences()
exchangeWhenDue()
