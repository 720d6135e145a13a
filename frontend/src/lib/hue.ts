// Colours that are facts: the server knows them, the stylesheet what they are good for.
import type { CSSProperties } from 'react'
import type { LibraryCard } from '../api/generated'

export interface Hues extends CSSProperties {
  '--from': string
  '--to': string
  /** For text: it can be read in both themes. */
  '--hue'?: string
}

type Colours = Pick<LibraryCard, 'colorFrom' | 'colorTo' | 'hueLight' | 'hueDark'>

export function hue({ colorFrom, colorTo, hueLight, hueDark }: Colours): Hues {
  return { '--from': colorFrom, '--to': colorTo, '--hue': `light-dark(${hueLight}, ${hueDark})` }
}

export function hueOf(color: string): Hues {
  return { '--from': color, '--to': color }
}
