// Icons of the example viewer.

const PATHS = {
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  folder: 'M4 6h6l2 2h8v10H4z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  chevron: 'm9 7 5 5-5 5',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  full: 'M9 4H4v5m11-5h5v5M9 20H4v-5m11 5h5v-5',
  less: 'M4 9h5V4m11 5h-5V4M4 15h5v5m11-5h-5v5',
  out: 'M7 17 17 7M9 7h8v8',
  play: 'M8 5v14l11-7z',
  raw: 'M6 7h12M6 12h12M6 17h7',
} as const

export type ExampleIconName = keyof typeof PATHS

export function ExampleIcon({ name }: { name: ExampleIconName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="icon">
      <path d={PATHS[name]} />
    </svg>
  )
}
