import { useState } from 'react'
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
      title="What opens"
      about="A dialog holds the focus and gives it back. Menus are walked with the arrow keys. Escape closes whatever opened last."
    >
      <div className="actions">
        <Dialog
          trigger={
            <Button>
              Open a dialog
            </Button>
          }
          title="A dialog"
          description="It waits for an answer, and nothing behind it can be reached meanwhile."
        >
          <p className="design-note">Close it with the button, with Escape or by pressing beside it.</p>
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
            { label: 'Go to the top', act: '#content' },
            { label: 'Not today', act: () => undefined, disabled: true },
          ]}
        />
        <ToastButton />
        <Tooltip words="A word about what this does">
          <IconButton icon="wide" label="Explained by a tooltip" />
        </Tooltip>
        <span className="design-spinner">
          <span className="spinner" />
          <small>after half a second</small>
        </span>
      </div>
      <Tabs
        label="Views"
        tabs={[
          { id: 'one', label: 'First view', content: <p>Arrow keys lead to the second.</p> },
          { id: 'two', label: 'Second view', content: <p>Home and End lead to the ends.</p> },
          { id: 'three', label: 'Third view', content: <p>Only this one is in the page’s order of focus.</p> },
        ]}
      />
    </DesignSection>
  )
}

function ToastButton() {
  const say = useToast()
  return (
    <Button onClick={() => say('Said in passing', 'It goes away by itself.')}>
      Say something
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
      title="What is filled in"
      about="A label that stays, a hint before, and what is wrong afterwards, in words."
    >
      <div className="design-fields">
        <TextField label="Package" name="package" placeholder="@scope/name" hint="As it is called on npm." />
        <TextField label="Name" name="name" defaultValue="??" error="A name has letters in it." />
        <TextField label="Region" name="region" defaultValue="Everywhere" disabled />
        <Select label="Counted" options={INTERVALS} value={pace} onChange={setPace} />
      </div>
      <div className="actions">
        <Switch label="On" checked={on} onChange={setOn} />
        <Switch label="Off" checked={!on} onChange={(off) => setOn(!off)} />
        <Switch label="Not to be changed" checked={false} onChange={() => undefined} disabled />
      </div>
    </DesignSection>
  )
}
