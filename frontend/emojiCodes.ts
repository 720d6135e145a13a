/** Writes the emoji codes of GitHub's list, of the package gemoji: `npm run emoji` after an update of the package. */
import { writeFile } from 'node:fs/promises'
import { gemoji } from 'gemoji'

const file = new URL('../src/kinfolk/content/markdown/extensions/emoji_codes.json', import.meta.url)

const codes = gemoji.flatMap(({ names, emoji }) => names.map((name) => [name, emoji] as const))
codes.sort(([a], [b]) => (a < b ? -1 : 1))
await writeFile(file, `${JSON.stringify(Object.fromEntries(codes), null, 0).replaceAll('","', '",\n"')}\n`)
