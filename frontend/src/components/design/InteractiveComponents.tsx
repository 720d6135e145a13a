import { useState } from 'react'
import { CONTENT_ID } from '../../lib/layoutIds'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/TextField'
import { Icon } from '../ui/Icon'
import { Menu } from '../ui/Menu'
import { Select } from '../ui/Select'
import { Switch } from '../ui/Switch'
import { Tabs } from '../ui/Tabs'
import { ToastProvider, useToast } from '../ui/Toast'
import { Tooltip } from '../ui/Tooltip'
import { DesignSection } from './DesignTokens'
import { Button, IconButton } from '../ui/Button'

const INTERVALS = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const

/** Components that need hydration. Base UI provides roles, keyboard and focus; the styles are ours. */
export function InteractiveComponents() {
  return (
    <ToastProvider>
      <OverlayComponents />
      <FormComponents />
    </ToastProvider>
  )
}

function OverlayComponents() {
  const [pinned, setPinned] = useState(false)
  return (
    <DesignSection
      needsApp
      id="opening"
      title="Overlays"
      about="A dialog traps the focus and restores it. Arrow keys move through menus. Escape closes what opened last."
    >
      <div className="actions">
        <Dialog
          trigger={
            <Button>
              Open a dialog
            </Button>
          }
          title="A dialog"
          description="Nothing behind it can be reached while it is open."
        >
          <p className="design-note">Close it with the button, with Escape or by clicking outside.</p>
        </Dialog>
        <Menu
          trigger={
            <Button>
              Actions
              <Icon name="chevron" />
            </Button>
          }
          actions={[
            { label: pinned ? 'Unpin' : 'Pin', act: () => setPinned(!pinned) },
            { label: 'Go to top', act: `#${CONTENT_ID}` },
            { label: 'Disabled', act: () => undefined, disabled: true },
          ]}
        />
        <ToastButton />
        <Tooltip words="What this button does">
          <IconButton icon="wide" label="Button with a tooltip" />
        </Tooltip>
        <span className="design-spinner">
          <span className="spinner" />
          <small>after half a second</small>
        </span>
      </div>
      <Tabs
        label="Views"
        tabs={[
          { id: 'one', label: 'First view', content: <p>Arrow keys select the next.</p> },
          { id: 'two', label: 'Second view', content: <p>Home and End select the first and the last.</p> },
          { id: 'three', label: 'Third view', content: <p>Only the selected tab is in the tab order.</p> },
        ]}
      />
    </DesignSection>
  )
}

function ToastButton() {
  const say = useToast()
  return (
    <Button onClick={() => say('Saved', 'This message disappears on its own.')}>
      Show a message
    </Button>
  )
}

function FormComponents() {
  const [pace, setPace] = useState<(typeof INTERVALS)[number]['value']>('weekly')
  const [on, setOn] = useState(true)
  return (
    <DesignSection
      needsApp
      id="filling"
      title="Form fields"
      about="The label stays visible, a hint comes before typing, and an error says what to change."
    >
      <div className="design-fields">
        <TextField label="Package" name="package" placeholder="@scope/name" hint="The name on npm." />
        <TextField label="Name" name="name" defaultValue="??" error="Enter at least one letter." />
        <TextField label="Region" name="region" defaultValue="Everywhere" disabled />
        <Select label="Counted" options={INTERVALS} value={pace} onChange={setPace} />
      </div>
      <div className="actions">
        <Switch label="On" checked={on} onChange={setOn} />
        <Switch label="Off" checked={!on} onChange={(off) => setOn(!off)} />
        <Switch label="Disabled" checked={false} onChange={() => undefined} disabled />
      </div>
    </DesignSection>
  )
}
