/**
 * Decodes bytes: UTF-8 and UTF-16 with or without a byte-order mark. Bytes that are not UTF-8 are
 * of the code page of DOS where only it makes letters of them, else Windows-1252.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { readTable } from '../../base/tables.ts'
import type { SourceOptions } from '../batch.ts'

/**
 * Letters of a Mac where Windows and DOS have signs, or a small letter among capitals: `MU\x84OZ`
 * is `MUÑOZ`, `JOS\x83` and `Jos\x8e` are `JOSÉ` and `José`.
 */
const MAC_SIGN = /[A-Z][\x83\x84][A-Z]|[A-Z]{2}\x83(?![A-Za-z])|[a-z]\x8e/
const MAC = new TextDecoder('macintosh')
/**
 * What no text of a Mac has: capitals behind small letters, signs next to letters and digits, and
 * letters where Windows has a quote or a dash: `JosÈ`, `12∞`, `L”PEZ`, `OíNEIL`, ` ñ `.
 */
const NOT_MAC = new RegExp(
  '[a-z][À-ÖØ-Þ]|[A-Z][À-ÖØ-Þ][a-z]|[A-Za-z][“‘—][A-Za-z]|”[A-Za-z]|\\b[A-Z]í[A-Z]{3}' +
    '|(?<![A-Za-z])(?:[ëìî]|[ñó](?![A-Za-z]))|[êî](?![A-Za-z])' +
    '|[A-Za-z0-9]SIGN|SIGN[A-Za-z0-9]'.replaceAll('SIGN', '[^\\0-\\x7fÀ-ÖØ-öø-ÿ°’‘“”–—\\xa0]'),
)

/** WHATWG `windows-1252` decodes every byte. It also reads Latin-1 texts, as in browsers. */
const WINDOWS = new TextDecoder('windows-1252')

/**
 * Letters of DOS's code page 437 where Windows has none: controls next to a letter, or signs of
 * money, quotes and daggers between two. `PE¥A` is `PEÑA`.
 */
const DOS_SIGN = new RegExp(
  String.raw`[A-Za-z][\x81\x8d\x8f\x90]|[\x81\x8d\x8f\x90][A-Za-z]` +
    String.raw`|[A-Za-z][\x82\x84\x86-\x89\x8b\xa1-\xa5][A-Za-z]|[A-Z]\x9a[A-Z]`,
)
/** Other bytes, which may be letters of Windows or are no letters of DOS. */
const NOT_DOS = /[\x9b-\x9f\xa6-\xff]/

/** Decodes bytes that are not UTF-8: as Windows-1252, unless only another page has letters. */
export function decodeWestern(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const mac = MAC_SIGN.test(text) ? decodeMac(bytes) : undefined
  if (mac !== undefined) return mac
  if (!DOS_SIGN.test(text) || NOT_DOS.test(text)) return WINDOWS.decode(bytes)
  dos437 ??= dosDecoder('cp437')
  return dos437?.(bytes) ?? text
}
let dos437: ReturnType<typeof dosDecoder>

function decodeMac(bytes: Buffer): string | undefined {
  const text = MAC.decode(bytes)
  return NOT_MAC.test(text) ? undefined : text
}

/**
 * Decodes a stream, whole lines at a time. Without `encoding` each line is UTF-8 when valid, else
 * Windows-1252: rolls are merged from several systems. Lines behind those of a Mac are too, while
 * these are more than lines that are not; `shown` names the file in the warning.
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  { encoding, notes }: Pick<SourceOptions, 'encoding' | 'notes'> = {},
  shown = '',
): AsyncGenerator<string> {
  let [lean, hasWarned] = [0, false]
  const decodeLine = (line: Buffer): string => {
    if (isUtf8(line)) return line.toString('utf8')
    const isSure = MAC_SIGN.test(line.toString('latin1'))
    const mac = isSure || lean > 0 ? decodeMac(line) : undefined
    if (mac === undefined) lean = Math.max(0, lean - 1)
    else if (isSure) lean += 1
    if (lean > 0 && !hasWarned) {
      hasWarned = true
      notes?.warn(
        `${shown} is read as a text of a Mac. If letters with accents are wrong, give its ` +
          'mapping "encoding": "windows-1252"',
      )
    }
    return mac ?? decodeWestern(line)
  }
  const decodeLines = (block: Buffer): string => {
    if (isAscii(block)) return block.toString('latin1')
    return isUtf8(block) ? block.toString('utf8') : splitLines(block).map(decodeLine).join('')
  }
  let held: Buffer[] = []
  let heldBytes = 0
  let first = true
  let stream: Decoder | undefined
  for await (const chunk of bytes) {
    // A long line is put together once, not with every piece that arrives.
    const isWhole = stream !== undefined || heldBytes > LINE_HELD || chunk.includes(10)
    if (!isWhole && !first) {
      held.push(chunk)
      heldBytes += chunk.length
      continue
    }
    let block = held.length === 0 ? chunk : Buffer.concat([...held, chunk])
    held = []
    heldBytes = 0
    if (first) {
      if (block.length < 3) {
        held = [block]
        continue
      }
      first = false
      stream =
        encoding === undefined || encoding === 'utf-8'
          ? wideDecoder(block)
          : (dosStream(encoding) ?? new TextDecoder(encoding))
      if (block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf) block = block.subarray(3)
    }
    if (stream !== undefined) {
      yield stream.decode(block, { stream: true })
      continue
    }
    const end = block.lastIndexOf(10) + 1 || endOfPiece(block)
    held = end < block.length ? [block.subarray(end)] : []
    heldBytes = block.length - end
    if (end > 0) yield decodeLines(block.subarray(0, end))
  }
  if (stream !== undefined) yield stream.decode()
  else if (held.length > 0) yield decodeLines(Buffer.concat(held))
}

type Decoder = { decode(bytes?: Buffer, options?: { stream: boolean }): string }

function dosStream(encoding: string): Decoder | undefined {
  const decode = dosDecoder(encoding)
  return decode && { decode: (bytes) => (bytes === undefined ? '' : decode(bytes)) }
}

/** Bytes of a line without an end that are held back; longer ones are decoded in pieces. */
const LINE_HELD = 4 * 1_048_576

/** Returns where a piece of a long line may end: behind a character of ASCII. */
function endOfPiece(block: Buffer): number {
  if (block.length <= LINE_HELD) return 0
  let end = block.length
  while (end > 0 && (block[end - 1] ?? 0) > 127) end -= 1
  return end === 0 ? block.length : end
}

function wideDecoder(block: Buffer): TextDecoder | undefined {
  if (block[0] === 0xff && block[1] === 0xfe) return new TextDecoder('utf-16le')
  if (block[0] === 0xfe && block[1] === 0xff) return new TextDecoder('utf-16be')
  const [even, odd] = [0, 1].map((at) => shareOfNuls(block, at))
  // UTF-16 without a mark: nearly every second byte of English text is 0.
  if ((odd ?? 0) > 0.7 && (even ?? 0) < 0.1) return new TextDecoder('utf-16le')
  if ((even ?? 0) > 0.7 && (odd ?? 0) < 0.1) return new TextDecoder('utf-16be')
  return undefined
}

/** Returns the share of zeros among every second byte of the first block. */
function shareOfNuls(block: Buffer, from: number): number {
  const length = Math.min(block.length, 1024)
  let nuls = 0
  for (let at = from; at < length; at += 2) if (block[at] === 0) nuls += 1
  return nuls / Math.max(1, length / 2)
}

function splitLines(block: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < block.length; ) {
    const newline = block.indexOf(10, at)
    const end = newline < 0 ? block.length : newline + 1
    lines.push(block.subarray(at, end))
    at = end
  }
  return lines
}

/** The decoder of `cp437` or `cp850`, which `TextDecoder` does not know, else `undefined`. */
export function dosDecoder(encoding: string): ((bytes: Buffer) => string) | undefined {
  if (!/^cp\d+$/.test(encoding)) return undefined
  const lines = readTable('code-pages.txt').filter((line) => line.startsWith(`${encoding}\t`))
  const page = lines
    .map((line) => line.slice(encoding.length + 1))
    .join('')
    .padEnd(128, '\u00a0')
  return (bytes) =>
    bytes
      .toString('latin1')
      .replace(/[\u0080-\u00ff]/g, (one) => page.charAt(one.charCodeAt(0) - 128))
}
