// Preferences on all devices of a reader: theme, framework and package manager are saved items, too.
import { FRAMEWORK_CHANGED, SAVED_CHANGED, THEME_CHANGED } from '../lib/events'
import { savedItem, saveItem } from '../lib/accounts/savedItems'
import { CHOSEN_TAB } from '../lib/storageKeys'

const PACKAGE_MANAGER = `${CHOSEN_TAB}package-manager`

/** The name of a preference: how it is stored in this browser, and how it is applied. */
const PREFERENCES: Record<string, { key: string; apply: (value: string) => void }> = {
  theme: {
    key: 'theme',
    apply: (value) => {
      if (value === 'light' || value === 'dark' || value === 'auto') window.__kinfolk.setMode(value)
    },
  },
  framework: { key: 'framework', apply: (value) => window.__kinfolk.setFramework(value) },
  'package-manager': {
    key: PACKAGE_MANAGER,
    apply: (value) => {
      window.__kinfolk.write(PACKAGE_MANAGER, value)
      window.__kinfolk.applyPreferences()
    },
  },
}

/** What this browser stored before is not newer than what another device saved: it is saved when the reader changes it. */
export function syncPreferences(): void {
  applySaved()
  document.addEventListener(SAVED_CHANGED, applySaved)
  // The boot script stores a chosen tab when the event `change` reaches the document.
  for (const changed of [THEME_CHANGED, FRAMEWORK_CHANGED, 'change']) document.addEventListener(changed, saveChanged)
}

let applying = false

function applySaved(): void {
  applying = true
  for (const [name, { key, apply }] of Object.entries(PREFERENCES)) {
    const saved = savedItem('preference', name)?.value
    if (saved && saved !== window.__kinfolk.read(key)) apply(saved)
  }
  applying = false
}

function saveChanged(): void {
  if (applying) return
  for (const [name, { key }] of Object.entries(PREFERENCES)) {
    const value = window.__kinfolk.read(key)
    if (value && value !== savedItem('preference', name)?.value) saveItem('preference', name, { value })
  }
}
