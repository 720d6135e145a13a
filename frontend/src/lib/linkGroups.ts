import type { SiteMenuEntry } from '../api/generated'

/** Adjacent links with one heading; `heading` is null for links without one. */
export interface LinkGroup {
  heading: string | null
  links: SiteMenuEntry[]
}

/** The links of a menu in their order, by heading. */
export function linkGroups(links: readonly SiteMenuEntry[]): LinkGroup[] {
  const groups: LinkGroup[] = []
  for (const link of links) {
    const last = groups.at(-1)
    if (last?.heading === link.group) last.links.push(link)
    else groups.push({ heading: link.group, links: [link] })
  }
  return groups
}
