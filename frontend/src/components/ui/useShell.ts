import { createContext, useContext } from 'react'
import type { Shell } from '../../api/generated'

/** The data that all pages share: libraries, menus, names. Null if it could not be loaded. */
export const ShellContext = createContext<Shell | null>(null)

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('This component is rendered outside of ShellContext')
  return shell
}
