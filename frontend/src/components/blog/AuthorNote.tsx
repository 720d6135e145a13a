import { listAuthors } from '../../lib/blog'
import { useShell } from '../ui/useShell'

/** Introduces the product, if it is one of the authors: readers know the family, not the software of the site. */
export function AuthorNote({ authors }: { authors: readonly string[] }) {
  const shell = useShell()
  if (!listAuthors(authors, shell).includes(shell.product)) return null
  return <p className="author-note">{shell.product} is the open-source software that runs this site.</p>
}
