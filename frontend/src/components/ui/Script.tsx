import { useContext } from 'react'
import { StylesContext } from './Styles'

/** The script of a part of the site that works before the app is there. It runs once, however often it is asked for. */
export function Script({ name }: { name: string }) {
  const href = useContext(StylesContext)[name]
  return href ? <script type="module" async src={href} /> : null
}
