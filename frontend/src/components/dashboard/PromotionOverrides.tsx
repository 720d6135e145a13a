import { useState } from 'react'
import type { Load } from '../../api/call'
import type { PromotionFields, PromotionOverride } from '../../api/generated'
import { formatDate, formatList } from '../../lib/format'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { TextField } from '../ui/TextField'
import { DashboardSection } from './DashboardSection'
import { OverrideForm, text } from './OverrideForm'
import { RemoveOverride } from './RemoveOverride'

interface Props {
  load: Load
  promotions: readonly PromotionOverride[]
  slots: readonly string[]
  reload: () => void
}

/** Boxes that maintainers fill or leave empty. */
export function PromotionOverrides({ load, promotions, slots, reload }: Props) {
  return (
    <>
      <DashboardSection title="Promotions" items={promotions} empty="No promotions. The boxes show libraries and partners.">
        {({ id, promotion, period }) => (
          <li key={id} className="saved-row">
            <div className="saved-main">
              {nameOf(promotion)}
              <p className="saved-about">
                <Badge tone={period === 'shown' ? 'beta' : 'alpha'}>{period}</Badge>
                {formatList(promotion.slots.map(slotLabel))}
                {formatPeriod(promotion)}
              </p>
            </div>
            <div className="saved-actions">
              <PromotionForm load={load} slots={slots} reload={reload} id={id} promotion={promotion} />
              <RemoveOverride load={load} id={id} name={nameOf(promotion)} removed={reload} />
            </div>
          </li>
        )}
      </DashboardSection>
      <p className="dashboard-lead">A promotion replaces the libraries and partners of its boxes. If there are several, they take turns.</p>
      <div className="actions">
        <PromotionForm load={load} slots={slots} reload={reload} />
      </div>
    </>
  )
}

function nameOf({ title, isPause }: PromotionFields): string {
  return isPause ? 'Empty boxes' : title
}

function slotLabel(slot: string): string {
  return slot.replaceAll('-', ' ')
}

function formatPeriod({ starts, ends }: PromotionFields): string {
  return `${starts ? `, from ${formatDate(starts)}` : ''}${ends ? `, until ${formatDate(ends)}` : ''}`
}

interface FormProps {
  load: Load
  slots: readonly string[]
  reload: () => void
  id?: string
  /** The promotion to change; a new one if omitted. */
  promotion?: PromotionFields
}

function PromotionForm({ load, slots, reload, id = '', promotion }: FormProps) {
  const [isPause, setIsPause] = useState(promotion?.isPause ?? false)
  const save = (form: FormData) =>
    load('overrides.promotion', {
      id,
      promotion: {
        slots: form.getAll('slots').map(String),
        title: text(form, 'title'),
        text: text(form, 'text'),
        href: text(form, 'href'),
        starts: text(form, 'starts'),
        ends: text(form, 'ends'),
        isPause: form.has('is_pause'),
      },
    })
  return (
    <OverrideForm
      trigger={
        promotion ? (
          <Button size="small" aria-label={`Change ${nameOf(promotion)}`}>
            Change
          </Button>
        ) : (
          <Button>New promotion</Button>
        )
      }
      title={promotion ? 'Change promotion' : 'New promotion'}
      action="Save"
      save={save}
      saved={reload}
    >
      {(error) => (
        <>
          <fieldset className="field" aria-describedby={error('slots') ? 'slots-error' : undefined}>
            <legend className="field-label">Boxes</legend>
            <div className="override-slots">
              {slots.map((slot) => (
                <Checkbox key={slot} name="slots" value={slot} label={slotLabel(slot)} checked={promotion?.slots.includes(slot)} />
              ))}
            </div>
            {error('slots') ? (
              <p id="slots-error" className="field-error">
                {error('slots')}
              </p>
            ) : null}
          </fieldset>
          <Checkbox name="is_pause" value="on" label="Leave these boxes empty" checked={isPause} onChange={setIsPause} />
          {isPause ? null : (
            <>
              <TextField label="Title" name="title" maxLength={60} defaultValue={promotion?.title} error={error('title')} />
              <TextField label="Text" name="text" maxLength={140} defaultValue={promotion?.text} error={error('text')} />
              <TextField
                label="Address"
                name="href"
                hint="https:// or a path on this site"
                defaultValue={promotion?.href}
                error={error('href')}
              />
            </>
          )}
          <div className="dashboard-fields">
            <TextField label="First day (UTC)" name="starts" type="date" hint="Now, if empty" defaultValue={promotion?.starts} error={error('starts')} />
            <TextField label="Last day (UTC)" name="ends" type="date" hint="Until you remove it, if empty" defaultValue={promotion?.ends} error={error('ends')} />
          </div>
        </>
      )}
    </OverrideForm>
  )
}

interface CheckboxProps {
  name: string
  value: string
  label: string
  checked?: boolean | undefined
  onChange?: (checked: boolean) => void
}

function Checkbox({ name, value, label, checked = false, onChange }: CheckboxProps) {
  return (
    <label className="override-checkbox">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked}
        onChange={onChange && ((event) => onChange(event.target.checked))}
      />
      {label}
    </label>
  )
}
