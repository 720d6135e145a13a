import { useShell } from '../ui/useShell'

/** The short name of a library by its id. */
export function LibraryName({ value }: { value: string }) {
  const { libraries } = useShell()
  return libraries.find(({ id }) => id === value)?.shortName ?? value
}
