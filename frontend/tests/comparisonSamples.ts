// Sample comparisons: two groups over six weeks.
import type { ChartSeries, Comparison, ComparisonChart, ComparisonChoices, PackageGroup, VersionAdoption } from '../src/api/generated'

export function group(...names: string[]): PackageGroup {
  return { packages: names.map((name) => ({ name, hidden: false })), color: null }
}

export const comparison: Comparison = {
  groups: [group('atlas', 'old-atlas'), group('maps')],
  range: '365-days',
  bin: 'weekly',
  transform: 'none',
  baseline: [],
  showBaseline: false,
  normalizeBaseline: true,
  facetX: null,
  facetY: null,
  height: 400,
  bins: 'all',
  measure: 'downloads',
  align: 'calendar',
  scale: 'linear',
  fix: 'none',
  withoutMirrors: false,
}

export function series(name: string, about: Partial<ChartSeries> = {}): ChartSeries {
  return {
    name,
    label: name,
    packages: [{ name, hidden: false }],
    color: '#1f77b4',
    dash: '',
    baseline: false,
    status: 'ready',
    message: '',
    values: [700, 800, 900, 1000, 1100, 300],
    gaps: [],
    fixed: [],
    figures: {
      total: 4500,
      lastBin: 1100,
      lastWeek: 1050,
      weekChange: 5,
      yearChange: null,
      yearlyGrowth: null,
      share: 60,
      stars: null,
    },
    ...about,
  }
}

const maps = series('maps', {
  color: '#ff7f0e',
  dash: '6 3',
  values: [500, 500, 600, 600, 700, 200],
  figures: { total: 2900, lastBin: 700, lastWeek: 690, weekChange: -2.5, yearChange: 12, yearlyGrowth: 8, share: 40, stars: null },
})

export const chart: ComparisonChart = {
  comparison,
  query: '',
  title: 'atlas vs maps',
  axis: { unit: 'weekly', first: '2025-01-05', count: 6, aligned: false, partial: [5] },
  valueAxis: { title: 'Downloads per week', kind: 'count' },
  series: [series('atlas', { packages: group('atlas', 'old-atlas').packages }), maps],
  outages: [{ first: '2025-01-24', last: '2025-01-24', package: '', text: 'npm counted no downloads.' }],
  lastDay: '2025-02-10',
  asOf: '2025-02-11T03:00:00Z',
  source: 'Downloads as npm counts them.',
  sample: false,
  summary: 'Downloads per week of atlas and maps.',
  indexable: true,
}

export const choices: ComparisonChoices = {
  categories: [
    { title: 'Maps', groups: [{ ...group('atlas', 'old-atlas'), color: '#ff4500' }, group('maps')], query: '' },
    { title: 'Globes', groups: [group('globe'), group('sphere')], query: 'packageGroups=x' },
  ],
  indexes: [{ title: 'Everything', groups: [group('maps'), group('globe')], query: 'packageGroups=y' }],
  hasStars: false,
  hasRegistry: true,
}

export const adoption: VersionAdoption = {
  package: 'atlas',
  weeks: ['2025-02-03', '2025-02-10'],
  majors: [
    { major: '2', shares: [60, 70] },
    { major: '1', shares: [40, 30] },
  ],
  mirrorFloor: 120,
  weekTotal: 1050,
}
