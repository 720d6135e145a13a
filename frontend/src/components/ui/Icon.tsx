// Icons of the interface, drawn as lines in the text color. They are hidden from screen readers: the control needs a label.

const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  chevron: 'm7 10 5 5 5-5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  wide: 'M3 12h7m-4-4-4 4 4 4m15-4h-7m4-4 4 4-4 4',
  pencil: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  search: 'm21 21-4.5-4.5M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  out: 'M7 17 17 7M9 7h8v8',
  bookmark: 'M6 4h12v16l-6-4.5L6 20z',
  note: 'M5 4h14v10l-5 6H5zM14 20v-6h5M8.5 8.5h7M8.5 12h4',
  star: 'm12 4 2.5 5.2 5.7.7-4.2 3.9 1.1 5.7-5.1-2.8-5.1 2.8 1.1-5.7-4.2-3.9 5.7-.7z',
} as const

export type IconName = keyof typeof PATHS

// `Object.keys` loses the type of the keys.
export const ICONS = Object.keys(PATHS) as IconName[]

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="icon">
      <path d={PATHS[name]} />
    </svg>
  )
}
