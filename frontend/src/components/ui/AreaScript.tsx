import { useContext } from 'react'
import { AreaAssetsContext } from './AreaStyles'

/** Loads a module script that only some pages need. The browser runs a module once. */
export function AreaScript({ name }: { name: string }) {
  const href = useContext(AreaAssetsContext)[name]
  return href ? <script type="module" async src={href} /> : null
}
