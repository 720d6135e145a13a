import { useShell } from '../ui/useShell'

/** The short name of a library by its id. */
export function LibraryName({ value }: { value: string }) {
  return useLibraryNames([value])
}

/** The short names of libraries by their ids: `Start and Router`. */
export function useLibraryNames(ids: readonly string[]): string {
  const { libraries } = useShell()
  const names = ids.map((id) => libraries.find((library) => library.id === id)?.shortName ?? id)
  return names.length > 2 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join(' and ')
}
