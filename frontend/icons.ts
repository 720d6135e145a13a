// Renders the site's icons in the sizes that devices request, from one SVG file.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const to = 'dist/client'
const mark = readFileSync('public/favicon.svg', 'utf8')
const corners = ' rx="15"'
if (!mark.includes(corners)) throw new Error(`favicon.svg is expected to have its corners as${corners}`)

/** iOS and Android round the corners themselves. */
const square = mark.replace(corners, '')
/** Android may crop an icon to a circle of four fifths of its width: the background extends, the mark stays inside. */
const maskable = square.replace('viewBox="0 0 64 64"', 'viewBox="-10 -10 84 84"').replace('<rect width="64" height="64"', '<rect x="-10" y="-10" width="84" height="84"')

await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))

function png(svg: string, width: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng()
}

/** favicon.ico, which clients request by its name: a header and one PNG. */
function ico(picture: Uint8Array, width: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(22))
  header.setUint16(2, 1, true)
  header.setUint16(4, 1, true)
  header.setUint8(6, width)
  header.setUint8(7, width)
  header.setUint16(10, 1, true)
  header.setUint16(12, 32, true)
  header.setUint32(14, picture.length, true)
  header.setUint32(18, header.byteLength, true)
  return Buffer.concat([new Uint8Array(header.buffer), picture])
}

writeFileSync(`${to}/favicon.ico`, ico(png(mark, 32), 32))
writeFileSync(`${to}/apple-touch-icon.png`, png(square, 180))
writeFileSync(`${to}/icon-192.png`, png(mark, 192))
writeFileSync(`${to}/icon-512.png`, png(mark, 512))
writeFileSync(`${to}/icon-maskable.png`, png(maskable, 512))
