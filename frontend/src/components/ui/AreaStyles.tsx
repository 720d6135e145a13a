import { createContext, useContext } from 'react'
import { hasStylesheet } from '../../lib/loadedStyles'

/** URLs of the stylesheets and scripts that only some pages load, by name. */
export type AreaAssets = Readonly<Record<string, string>>

export const AreaAssetsContext = createContext<AreaAssets>({})

/** The stylesheet of a part of the site. Pages from the server contain it; otherwise React loads it before it shows the part. */
export function AreaStyles({ name }: { name: string }) {
  const href = useContext(AreaAssetsContext)[name]
  if (!href || (!import.meta.env.SSR && hasStylesheet(href))) return null
  return <link rel="stylesheet" href={href} precedence="area" />
}
