import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import { portalContainer } from '../../lib/portalContainer'
import { Icon } from './Icon'
import { AreaStyles } from './AreaStyles'

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

/** A choice of one value. For a choice of a page, use LinkMenu. */
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
      <AreaStyles name="interactive" />
      <div className="field">
        <Base.Label className="field-label">{label}</Base.Label>
        {/* The label is connected after hydration only. */}
        <Base.Trigger aria-label={label} className="control select">
          <Base.Value />
          <Base.Icon>
            <Icon name="chevron" />
          </Base.Icon>
        </Base.Trigger>
      </div>
      <Base.Portal container={portalContainer()}>
        {/* Select.css has its rule. */}
        <CSPProvider disableStyleElements>
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
        </CSPProvider>
      </Base.Portal>
    </Base.Root>
  )
}
