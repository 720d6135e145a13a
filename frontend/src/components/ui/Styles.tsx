import { createContext, useContext } from 'react'

/** Where the stylesheets, and the scripts, of the parts of the site are, by the name of the part. */
export type Stylesheets = Readonly<Record<string, string>>

export const StylesContext = createContext<Stylesheets>({})

/** The stylesheet of a part of the site. Nothing of the part is shown before it has come. */
export function Styles({ name }: { name: string }) {
  const href = useContext(StylesContext)[name]
  return href ? <link rel="stylesheet" href={href} precedence="area" /> : null
}
