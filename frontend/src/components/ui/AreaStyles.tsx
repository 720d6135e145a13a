import { createContext, useContext } from 'react'

/** URLs of the stylesheets and scripts that only some pages load, by name. */
export type AreaAssets = Readonly<Record<string, string>>

export const AreaAssetsContext = createContext<AreaAssets>({})

/** Loads the stylesheet of a part of the site. React does not show the part before the stylesheet has loaded. */
export function AreaStyles({ name }: { name: string }) {
  const href = useContext(AreaAssetsContext)[name]
  return href ? <link rel="stylesheet" href={href} precedence="area" /> : null
}
