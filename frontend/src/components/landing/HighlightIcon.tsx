// Icons of feature highlights, by the names that data/ uses. Lines in the text color.

const PATHS: Readonly<Record<string, string>> = {
  blocks: 'M4 13h7v7H4zM13 13h7v7h-7zM8.5 4h7v7h-7z',
  brush: 'm14 10 6-6M14.5 9.500c2 2 1.5 4 0 5.500S10 20 4 20c2-2 1.5-3 2.5-5.500S12.5 7.5 14.5 9.500Z',
  'cloud-upload': 'M7 18a4.5 4.5 0 0 1-.5-9 6 6 0 0 1 11.5 1.500A3.8 3.8 0 0 1 17.5 18M12 20v-8m-3 3 3-3 3 3',
  'database-zap': 'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Zm0 0v12c0 1.7 3.6 3 8 3M4 12c0 1.5 2.8 2.7 6.5 3M18 12l-3 5h4l-3 5',
  gauge: 'M4.5 18a9 9 0 1 1 15 0M12 14l4-5M12 14h.01',
  'git-branch': 'M6 8v8M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0 0c0 5-12 3-12 8',
  layers: 'm12 3 9 5-9 5-9-5zM3 12.500l9 5 9-5M3 16.500l9 5 9-5',
  link: 'M10 14a4 4 0 0 0 6 .500l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.500l-3 3a4.2 4.2 0 0 0 6 6l1-1',
  'list-ordered': 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.500c2-2 3 0 1.5 1.500L4 18h3',
  monitor: 'M4 4h16v12H4zM9 20h6M12 16v4',
  'package-check': 'm12 3 8 4.500v5M12 3 4 7.500v9l8 4.500V12M4 7.500l8 4.5 8-4.500M15 18l2 2 4-4',
  puzzle: 'M5 8h4a2 2 0 1 1 4 0h4v4a2 2 0 1 1 0 4v4H5v-4a2 2 0 1 0 0-4z',
  'refresh-cw': 'M20 11a8 8 0 0 0-14-4.500L4 9m0-5v5h5M4 13a8 8 0 0 0 14 4.500l2-2.500m0 5v-5h-5',
  route: 'M6 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 18.500H15a3.5 3.5 0 0 0 0-7H9a3.5 3.5 0 0 1 0-7h6',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.500h.01M8 16.500h.01M12 7.500h4M12 16.500h4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  'shield-check': 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2 2 4-4',
  sparkles: 'm11 4 1.8 5.200L18 11l-5.2 1.800L11 18l-1.8-5.200L4 11l5.2-1.800zM19 3v4M17 5h4M19 17v4M17 19h4',
  target: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-4a5 5 0 1 0 0-10 5 5 0 0 0 0 10Zm0-5h.01',
  timer: 'M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16Zm0-12v4l3 2M9.5 2h5M12 2v3',
  zap: 'M13 3 5 14h6l-1 7 8-11h-6z',
}

/** For names without an icon. */
const FALLBACK_PATH = 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z'

export function HighlightIcon({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="icon">
      <path d={PATHS[name] ?? FALLBACK_PATH} />
    </svg>
  )
}
