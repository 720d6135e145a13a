import { useState } from 'react'
import { Dialog } from '../ui/Dialog'
import { Field } from '../ui/Field'
import { Icon } from '../ui/Icon'
import { Menu } from '../ui/Menu'
import { Select } from '../ui/Select'
import { Switch } from '../ui/Switch'
import { Tabs } from '../ui/Tabs'
import { Toasts, useToast } from '../ui/Toast'
import { Tooltip } from '../ui/Tooltip'
import { Chapter } from './Foundations'

const PACES = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const

/** Parts that need the app, on a headless library: roles, keys and focus are its work, the looks are ours. */
export function Moving() {
  return (
    <Toasts>
      <Opening />
      <Filling />
    </Toasts>
  )
}

function Opening() {
  const [pinned, setPinned] = useState(false)
  return (
    <Chapter
      id="opening"
      title="What opens"
      about="A dialog holds the focus and gives it back. Menus are walked with the arrow keys. Escape closes whatever opened last."
    >
      <div className="actions">
        <Dialog
          trigger={
            <button type="button" className="button">
              Open a dialog
            </button>
          }
          title="A dialog"
          description="It waits for an answer, and nothing behind it can be reached meanwhile."
        >
          <p className="text-sm text-muted">Close it with the button, with Escape or by pressing beside it.</p>
        </Dialog>
        <Menu
          trigger={
            <button type="button" className="button">
              Actions
              <Icon name="chevron" />
            </button>
          }
          actions={[
            { label: pinned ? 'Unpin' : 'Pin', act: () => setPinned(!pinned) },
            { label: 'Go to the top', act: '#content' },
            { label: 'Not today', act: () => undefined, disabled: true },
          ]}
        />
        <Announce />
        <Tooltip words="A word about what this does">
          <button type="button" className="icon-button">
            <Icon name="wide" />
            <span className="sr-only">Explained by a tooltip</span>
          </button>
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
    </Chapter>
  )
}

function Announce() {
  const say = useToast()
  return (
    <button type="button" className="button" onClick={() => say('Said in passing', 'It goes away by itself.')}>
      Say something
    </button>
  )
}

function Filling() {
  const [pace, setPace] = useState<(typeof PACES)[number]['value']>('weekly')
  const [on, setOn] = useState(true)
  return (
    <Chapter
      id="filling"
      title="What is filled in"
      about="A label that stays, a hint before, and what is wrong afterwards, in words."
    >
      <div className="design-fields">
        <Field label="Package" name="package" placeholder="@scope/name" hint="As it is called on npm." />
        <Field label="Name" name="name" defaultValue="??" error="A name has letters in it." />
        <Field label="Region" name="region" defaultValue="Everywhere" disabled />
        <Select label="Counted" options={PACES} value={pace} onChange={setPace} />
      </div>
      <div className="actions">
        <Switch label="On" checked={on} onChange={setOn} />
        <Switch label="Off" checked={!on} onChange={(off) => setOn(!off)} />
        <Switch label="Not to be changed" checked={false} onChange={() => undefined} disabled />
      </div>
    </Chapter>
  )
}
