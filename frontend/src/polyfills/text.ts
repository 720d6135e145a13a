// TextEncoder and TextDecoder for UTF-8.

const REPLACEMENT = 0xfffd
// The marker bits in the first byte of a character of one, two, three and four bytes.
const LEADS = [0, 0xc0, 0xe0, 0xf0]
// String.fromCharCode takes characters as arguments, and engines limit the number of arguments.
const BATCH = 8192

export class TextEncoder {
  readonly encoding = 'utf-8'

  encode(text = ''): Uint8Array {
    const bytes = new Uint8Array(text.length * 3)
    return bytes.slice(0, this.encodeInto(text, bytes).written)
  }

  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
    let written = 0
    let read = 0
    while (read < text.length) {
      const code = text.codePointAt(read) ?? REPLACEMENT
      const point = isLoneSurrogate(code) ? REPLACEMENT : code
      const length = bytesOf(point)
      if (written + length > bytes.length) break
      write(point, length, bytes, written)
      written += length
      read += code > 0xffff ? 2 : 1
    }
    return { read, written }
  }
}

function isLoneSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000
}

function bytesOf(point: number): number {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}

function write(point: number, length: number, bytes: Uint8Array, at: number): void {
  bytes[at] = (LEADS[length - 1] ?? 0) | (point >> (6 * (length - 1)))
  for (let next = 1; next < length; next++) bytes[at + next] = 0x80 | ((point >> (6 * (length - 1 - next))) & 63)
}

/** Decodes valid UTF-8. A chunk may end within a character. */
export class TextDecoder {
  private rest: number[] = []

  decode(bytes: Uint8Array = new Uint8Array(), { stream = false } = {}): string {
    const all = this.rest.length > 0 ? Uint8Array.from([...this.rest, ...bytes]) : bytes
    const end = stream ? whole(all) : all.length
    this.rest = [...all.subarray(end)]
    let text = ''
    let units: number[] = []
    for (let at = 0; at < end; ) {
      const length = lengthAfter(all[at] ?? 0)
      push(pointAt(all, at, length), units)
      at += length
      if (units.length >= BATCH) {
        text += String.fromCharCode(...units)
        units = []
      }
    }
    return text + String.fromCharCode(...units)
  }
}

function pointAt(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at] ?? 0
  let point = length === 1 ? lead : lead & (0xff >> (length + 1))
  for (let next = 1; next < length; next++) point = (point << 6) | ((bytes[at + next] ?? 0) & 63)
  return point
}

function push(point: number, units: number[]): void {
  if (point > 0xffff) units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff))
  else units.push(point)
}

function lengthAfter(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

/** The number of bytes up to the last complete character. */
function whole(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return lengthAfter(byte) > back ? bytes.length - back : bytes.length
    if (byte < 0x80) break
  }
  return bytes.length
}
