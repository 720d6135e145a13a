// Properties of the field that adds packages, and of the combobox that replaces it once loaded.
import type { RefObject } from 'react'

export interface PackageFieldProps {
  label: string
  placeholder?: string
  /** Names that are not offered. */
  taken: readonly string[]
  /** Whether the comparison has as many packages as it can have. */
  full: boolean
  onChoose: (name: string) => void
}

/** What the reader did in the field before its combobox was loaded. */
export interface EarlyInput {
  text: string
  focused: boolean
}

export interface PackageComboboxProps extends PackageFieldProps {
  early: RefObject<EarlyInput>
}
