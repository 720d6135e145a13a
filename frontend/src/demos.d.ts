/** Written by `demoImports.ts`. */
declare module 'virtual:demos' {
  import type { ComponentType } from 'react'

  /** Demos by the id of their library. */
  export const demos: Readonly<Record<string, () => Promise<{ Demo: ComponentType }>>>
}
