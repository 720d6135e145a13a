// Copies fonts out of their packages: subsets with the most frequent characters for pages, complete files for the share
// images that the server draws. Runs first: the stylesheet refers to the subsets.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import subset from 'subset-font'

const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('')
const SIGNS = '–—‘’“”…·•→←↑↓×©®€°±§äöüÄÖÜßéèêáàâóòôíñçåøæ⌘✓\u00a0'

const pages = 'src/styles/fonts'
const MONO = `${ASCII}–—…→←│├└─`
// Not those of fractions and alternates, which no page uses: their glyphs are a fifth of a file.
const FEATURES = ['calt', 'ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum']
// All weights and styles that pages use, so that browsers synthesize none. Italic files are loaded by pages with italic text.
const CUT = [
  { from: 'inter/files/inter-latin-wght-normal', to: 'inter', text: ASCII + SIGNS, boldest: 750 },
  { from: 'inter/files/inter-latin-wght-italic', to: 'italic', text: ASCII + SIGNS, boldest: 750 },
  { from: 'geist-mono/files/geist-mono-latin-wght-normal', to: 'mono', text: MONO, boldest: 700 },
  { from: 'geist-mono/files/geist-mono-latin-wght-italic', to: 'mono-italic', text: MONO, boldest: 700 },
]

mkdirSync(pages, { recursive: true })
await Promise.all(
  CUT.map(async ({ from, to, text, boldest }) => {
    const font = readFileSync(`node_modules/@fontsource-variable/${from}.woff2`)
    const wght = { min: 400, max: boldest, default: 400 }
    const options = { targetFormat: 'woff2', keepFeatures: FEATURES, variationAxes: { wght } } as const
    writeFileSync(`${pages}/${to}.woff2`, await subset(font, text, options))
  }),
)

const drawn = 'node_modules/@expo-google-fonts/inter'
const pictures = 'dist/fonts'
mkdirSync(pictures, { recursive: true })
for (const [folder, file] of [
  ['800ExtraBold', 'Inter_800ExtraBold.ttf'],
  ['500Medium', 'Inter_500Medium.ttf'],
]) {
  copyFileSync(`${drawn}/${folder}/${file}`, `${pictures}/${file}`)
}
copyFileSync(`${drawn}/LICENSE_FONT`, `${pictures}/LICENSE`)
for (const name of ['inter', 'geist-mono']) {
  copyFileSync(`node_modules/@fontsource-variable/${name}/LICENSE`, `${pictures}/LICENSE-${name}`)
}
