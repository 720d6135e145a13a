import type { ColorMode } from '../../lib/bootApi'
import { saveItem } from '../../lib/accounts/savedItems'
import { CHOSEN_TAB } from '../../lib/storageKeys'
import { Select } from '../ui/Select'
import { useShell } from '../ui/useShell'
import { useSavedItems } from '../ui/useSavedItems'

const THEMES: { value: ColorMode; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const PACKAGE_MANAGER_KEY = `${CHOSEN_TAB}package-manager`

/** Choices that hold on all devices of the reader. */
export function Preferences() {
  const shell = useShell()
  const { packageManagers } = shell
  const saved = useSavedItems('preference')
  // Before hydration, the browser's choices are not known.
  if (!saved) return null
  const boot = window.__kinfolk
  const choice = (name: string, stored: string) => saved.find(({ key }) => key === name)?.value.value ?? stored
  const theme = choice('theme', boot.mode)
  const hasFrameworks = shell.libraries.some(({ frameworks }) => frameworks.length > 0)
  return (
    <section className="dashboard-section">
      <h2>Preferences</h2>
      <div className="dashboard-fields">
        <Select
          label="Theme"
          options={THEMES}
          value={THEMES.find(({ value }) => value === theme)?.value ?? 'auto'}
          onChange={(value) => {
            boot.setMode(value)
            saveItem('preference', 'theme', { value })
          }}
        />
        {hasFrameworks ? (
          <Select
            label="Framework"
            options={shell.frameworks.map(({ value, label }) => ({ value, label }))}
            value={choice('framework', boot.read('framework') ?? shell.firstFramework ?? '')}
            onChange={(value) => {
              boot.setFramework(value)
              saveItem('preference', 'framework', { value })
            }}
          />
        ) : null}
        <Select
          label="Package manager"
          options={packageManagers.map((value) => ({ value, label: value }))}
          value={choice('package-manager', boot.read(PACKAGE_MANAGER_KEY) ?? packageManagers[0] ?? 'npm')}
          onChange={(value) => {
            boot.write(PACKAGE_MANAGER_KEY, value)
            saveItem('preference', 'package-manager', { value })
          }}
        />
      </div>
    </section>
  )
}
