// Changes that the reader makes to a comparison. Each function returns the comparison as it is if it cannot change it.
import type { BinUnit, Comparison, PackageGroup, RangeName } from '../../api/generated'

/** Limits of the server. */
export const MAX_PACKAGES = 32
const MAX_NAME = 214

const SHORT: readonly BinUnit[] = ['daily']
const MEDIUM: readonly BinUnit[] = ['daily', 'weekly', 'monthly']
const LONG: readonly BinUnit[] = ['daily', 'weekly', 'monthly', 'yearly']

/** The bins of each range. */
const ALLOWED_BINS: Readonly<Record<RangeName, readonly BinUnit[]>> = {
  '7-days': SHORT,
  '30-days': SHORT,
  '90-days': MEDIUM,
  '180-days': MEDIUM,
  '365-days': MEDIUM,
  '730-days': LONG,
  '1825-days': LONG,
  'all-time': LONG,
}

const DEFAULT_BINS: Readonly<Record<RangeName, BinUnit>> = {
  '7-days': 'daily',
  '30-days': 'daily',
  '90-days': 'weekly',
  '180-days': 'weekly',
  '365-days': 'weekly',
  '730-days': 'monthly',
  '1825-days': 'monthly',
  'all-time': 'monthly',
}

export function allowedBins(range: RangeName): readonly BinUnit[] {
  return ALLOWED_BINS[range]
}

/** The name of a group is that of its first package. No two groups have the same. */
export function groupName({ packages }: PackageGroup): string {
  return packages[0]?.name ?? ''
}

export function isGroupHidden({ packages }: PackageGroup): boolean {
  return packages[0]?.hidden ?? false
}

export function countPackages({ groups }: Comparison): number {
  return groups.reduce((count, { packages }) => count + packages.length, 0)
}

/** Whether npm can have a package of this name. Old names have capitals. */
export function isPackageName(name: string): boolean {
  return name.length <= MAX_NAME && /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i.test(name)
}

/** Adds a group. A group of that name is shown instead. */
export function addPackage(comparison: Comparison, name: string): Comparison {
  if (findGroup(comparison, name)) return setHidden(comparison, name, name, false)
  if (!name || countPackages(comparison) >= MAX_PACKAGES) return comparison
  return { ...comparison, groups: [...comparison.groups, { packages: [{ name, hidden: false }], color: null }] }
}

/** The last group stays: a comparison without groups is the default one. */
export function removeGroup(comparison: Comparison, name: string): Comparison {
  if (!findGroup(comparison, name) || comparison.groups.length < 2) return comparison
  const groups = comparison.groups.filter((group) => groupName(group) !== name)
  return { ...comparison, groups, baseline: comparison.baseline.filter((other) => other !== name) }
}

function findGroup({ groups }: Comparison, name: string): PackageGroup | undefined {
  return groups.find((group) => groupName(group) === name)
}

function setHidden(comparison: Comparison, of: string, name: string, hidden: boolean): Comparison {
  return changeGroup(comparison, of, (group) => ({
    ...group,
    packages: group.packages.map((entry) => (entry.name === name ? { ...entry, hidden } : entry)),
  }))
}

/** Hides or shows a package of the group `of`. The first one stands for the group. */
export function toggleHidden(comparison: Comparison, of: string, name = of): Comparison {
  const entry = findGroup(comparison, of)?.packages.find((candidate) => candidate.name === name)
  return entry ? setHidden(comparison, of, name, !entry.hidden) : comparison
}

/** Adds a package to a group: its downloads are added up. */
export function mergeInto(comparison: Comparison, of: string, name: string): Comparison {
  const group = findGroup(comparison, of)
  if (!group || !name || countPackages(comparison) >= MAX_PACKAGES || group.packages.some((entry) => entry.name === name)) return comparison
  return changeGroup(comparison, of, () => ({ ...group, packages: [...group.packages, { name, hidden: false }] }))
}

/** Removes a package from its group, but not the first one, which names the group. */
export function removeMember(comparison: Comparison, of: string, name: string): Comparison {
  return changeGroup(comparison, of, (group) => ({
    ...group,
    packages: group.packages.filter((entry, at) => at === 0 || entry.name !== name),
  }))
}

/** Null for the color that the server chooses. */
export function setColor(comparison: Comparison, of: string, color: string | null): Comparison {
  return changeGroup(comparison, of, (group) => ({ ...group, color }))
}

function changeGroup(comparison: Comparison, name: string, change: (group: PackageGroup) => PackageGroup): Comparison {
  return { ...comparison, groups: comparison.groups.map((group) => (groupName(group) === name ? change(group) : group)) }
}

/** The bins become those of the range. */
export function setRange(comparison: Comparison, range: RangeName): Comparison {
  return range === comparison.range ? comparison : { ...comparison, range, bin: DEFAULT_BINS[range] }
}

export function setBin(comparison: Comparison, bin: BinUnit): Comparison {
  return allowedBins(comparison.range).includes(bin) ? { ...comparison, bin } : comparison
}

/** Groups that all others are compared with. They are hidden; those that are no baseline any more are shown again. */
export function setBaseline(comparison: Comparison, names: readonly string[]): Comparison {
  const next = comparison.groups.map((group) => {
    const [first, ...others] = group.packages
    const hidden = names.includes(groupName(group)) || (isGroupHidden(group) && !isBaseline(comparison, group))
    return first ? { ...group, packages: [{ ...first, hidden }, ...others] } : group
  })
  return { ...comparison, groups: next, baseline: [...names], showBaseline: false }
}

/** Whether the group is the baseline or a part of it. */
export function isBaseline({ baseline }: Comparison, group: PackageGroup): boolean {
  return baseline.includes(groupName(group))
}

export function toggleBaseline(comparison: Comparison, name: string): Comparison {
  const group = findGroup(comparison, name)
  if (!group) return comparison
  return setBaseline(comparison, isBaseline(comparison, group) ? [] : [name])
}

/** Groups of a popular comparison. The range and what belongs to it stay; the baseline belonged to the old groups. */
export function setGroups(comparison: Comparison, groups: readonly PackageGroup[]): Comparison {
  return { ...comparison, groups: [...groups], baseline: [] }
}

/** Makes several groups the baseline, and adds those that the comparison does not have. */
export function setIndex(comparison: Comparison, groups: readonly PackageGroup[]): Comparison {
  const missing = groups.filter((group) => !comparison.groups.some((other) => groupName(other) === groupName(group)))
  const next = { ...comparison, groups: [...comparison.groups, ...missing] }
  return countPackages(next) > MAX_PACKAGES ? comparison : setBaseline(next, groups.map(groupName))
}
