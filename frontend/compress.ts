// Compresses the build's files at the highest level, so that the server selects a file instead of compressing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = 'dist/client/assets'

for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg|json)$/.test(file))) {
  const content = readFileSync(`${folder}/${name}`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  writeFileSync(`${folder}/${name}.br`, brotliCompressSync(content, { params }))
  writeFileSync(`${folder}/${name}.gz`, gzipSync(content, { level: 9 }))
}
