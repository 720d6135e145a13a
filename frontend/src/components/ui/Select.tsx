import { Select as Base } from '@base-ui/react/select'
import { content } from '../../lib/content'
import { Icon } from './Icon'
import { Styles } from './Styles'

export interface Option<Value extends string> {
  value: Value
  label: string
}

interface Props<Value extends string> {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean
}

/** One of several values that are not pages: those are chosen with a LinkMenu. */
export function Select<Value extends string>({ label, options, value, onChange, disabled }: Props<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => {
        if (chosen !== null) onChange(chosen)
      }}
    >
      <Styles name="parts" />
      <div className="field">
        <Base.Label className="field-label">{label}</Base.Label>
        {/* Named before the app is there, too. */}
        <Base.Trigger aria-label={label} className="control select">
          <Base.Value />
          <Base.Icon>
            <Icon name="chevron" />
          </Base.Icon>
        </Base.Trigger>
      </div>
      <Base.Portal container={content()}>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="positioner">
          <Base.Popup className="popup menu">
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className="menu-item">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Icon name="check" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
