/** Not implemented by all browsers, and unknown to TypeScript. */
interface NetworkInformation {
  saveData?: boolean
  effectiveType?: string
}

/** Whether the reader saves data, or has a slow connection: nothing is then loaded in advance. */
export function isMeteredConnection(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation }
  return connection?.saveData === true || (connection?.effectiveType ?? '4g') !== '4g'
}
