// Formats dates, lists, names and numbers, equal on server and client: `Intl` depends on the engine's data.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2025-03-18` is Mar 18, 2025 in every time zone. */
export function formatDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number)
  const name = month ? MONTHS[month - 1] : undefined
  return name && day && year ? `${name} ${day}, ${year}` : date
}

/** Ann, Ben and Cleo. */
export function formatList(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}

/** The first letters of the first and the last name. */
export function initials(name: string): string {
  const [first = '', ...others] = name.split(' ')
  return first.slice(0, 1) + (others.at(-1) ?? '').slice(0, 1)
}

/** `3015` is 3,015. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
