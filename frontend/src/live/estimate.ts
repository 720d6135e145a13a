// Estimates a total that grows each day.
const DAY_MS = 86_400_000
/** Older counts are not extrapolated. npm publishes those of a day on the next one; the server marks figures as old after three. */
const MOST_DAYS = 4

/** The estimate of a total that was counted up to the end of a day in UTC; undefined if that is too long ago. */
export function estimate(value: number, perDay: number, asOf: string, now: number): number | undefined {
  const days = (now - Date.parse(asOf)) / DAY_MS - 1
  return days >= 0 && days <= MOST_DAYS ? Math.floor(value + perDay * days) : undefined
}
