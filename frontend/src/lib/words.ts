// Dates and lists in words, the same on the server and in every browser.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2025-03-18` is Mar 18, 2025 wherever one reads it: a date is not a moment. */
export function dateInWords(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number)
  const name = month ? MONTHS[month - 1] : undefined
  return name && day && year ? `${name} ${day}, ${year}` : date
}

/** Ann, Ben and Cleo. */
export function listInWords(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}

/** The first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const [first = '', ...others] = name.split(' ')
  return first.slice(0, 1) + (others.at(-1) ?? '').slice(0, 1)
}

/** `3015` is 3,015. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
