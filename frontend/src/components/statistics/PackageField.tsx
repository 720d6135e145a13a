import type { ComponentType } from 'react'
import { startTransition, useEffect, useRef, useState } from 'react'
import { isPackageName } from '../../lib/statistics/comparisonEdits'
import { Icon } from '../ui/Icon'
import type { EarlyInput, PackageComboboxProps, PackageFieldProps } from './packageFieldProps'

/** In a file of its own, loaded when the reader turns to the field: it brings the combobox of Base UI. */
async function loadCombobox() {
  return (await import('./PackageCombobox')).PackageCombobox
}

/** The field that adds packages. Until its combobox is loaded, it is an input that collects the text. */
export function PackageField({ placeholder = 'Add a package, such as vue', ...field }: PackageFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const early = useRef<EarlyInput>({ text: '', focused: false })
  const [Combobox, setCombobox] = useState<ComponentType<PackageComboboxProps> | null>(null)
  const begin = () => {
    early.current.focused = true
    loadCombobox().then(
      // A transition, so that the input stays until the stylesheet of the combobox has loaded.
      (loaded) => startTransition(() => setCombobox(() => loaded)),
      // The next focus tries again.
      () => undefined,
    )
  }
  useEffect(() => {
    if (!input.current || document.activeElement !== input.current) return
    early.current.text = input.current.value
    begin()
    // oxlint-disable-next-line react/exhaustive-deps -- the reader may have turned to the field before the app was started
  }, [])
  if (Combobox && !field.full) return <Combobox {...field} placeholder={placeholder} early={early} />
  return (
    <div className="package-field">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        aria-label={field.label}
        placeholder={field.full ? 'No more packages fit' : placeholder}
        disabled={field.full}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="control needs-script"
        onFocus={begin}
        onBlur={() => {
          early.current.focused = false
        }}
        onChange={(event) => {
          early.current.text = event.target.value
        }}
        onKeyDown={({ key, currentTarget }) => {
          const typed = currentTarget.value.trim()
          if (key !== 'Enter' || !isPackageName(typed) || field.taken.includes(typed)) return
          currentTarget.value = early.current.text = ''
          field.onChoose(typed)
        }}
      />
      <noscript>Adding packages needs JavaScript.</noscript>
    </div>
  )
}
