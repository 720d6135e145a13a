// Colors from data/ as custom properties; tokens.css derives the others from them.
import type { CSSProperties } from 'react'
import type { LibraryCard } from '../api/generated'
import { withBase } from './paths'

export interface ColorStyle extends CSSProperties {
  '--from': string
  '--to': string
  /** For text: readable in both themes. */
  '--hue'?: string
}

type LibraryColors = Pick<LibraryCard, 'colorFrom' | 'colorTo' | 'hueLight' | 'hueDark'>

export function libraryColors({ colorFrom, colorTo, hueLight, hueDark }: LibraryColors): ColorStyle {
  return { '--from': colorFrom, '--to': colorTo, '--hue': `light-dark(${hueLight}, ${hueDark})` }
}

interface PatternStyle extends CSSProperties {
  '--pattern': string
}

/** The colors and the pattern of a library, for an element of the class `patterned`. */
export function libraryFace(library: LibraryColors & Pick<LibraryCard, 'pattern'>): ColorStyle & PatternStyle {
  return { ...libraryColors(library), ...patternStyle(library.pattern) }
}

/** A pattern by its address. */
export function patternStyle(pattern: string): PatternStyle {
  return { '--pattern': `url(${withBase(pattern)})` }
}

export function colorStyle(color: string): ColorStyle {
  return { '--from': color, '--to': color }
}
