/**
 * Reads dBASE tables: of a shapefile, or a roll alone. Source: "Xbase File Format Description" (E.
 * Bachmann). Own code, as no package is maintained: docs/decisions/readers.md.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { DAY_MS } from '../../base/days.ts'
import { CommandError } from '../../base/errors.ts'
import { showDouble } from '../../base/long-numbers.ts'
import type { ReadingNotes } from '../batch.ts'
import { ByteReader } from './bytes.ts'
import type { Part } from './container.ts'
import { decodeWestern, dosDecoder } from './text.ts'

type DbfField = { name: string; type: string; offset: number; length: number }

type DbfTable = {
  fields: DbfField[]
  count: number
  /** Returns the next record's values, `undefined` at the end, or `null` for a deleted record. */
  next(): Promise<string[] | null | undefined>
  close(): Promise<void>
}

/** Code page marks that do not mean Windows-1252. Source: dBASE language driver ids. */
const CODE_PAGES: Record<number, string> = {
  4: 'macintosh',
  38: 'ibm866',
  200: 'windows-1250',
  201: 'windows-1251',
  ...{ 1: 'cp437', 9: 'cp437', 11: 'cp437', 13: 'cp437', 15: 'cp437', 17: 'cp437', 21: 'cp437' },
  ...{ 24: 'cp437', 25: 'cp437', 27: 'cp437' },
  ...{ 2: 'cp850', 10: 'cp850', 14: 'cp850', 16: 'cp850', 18: 'cp850', 20: 'cp850', 22: 'cp850' },
  ...{ 26: 'cp850', 29: 'cp850', 37: 'cp850', 55: 'cp850' },
}

/** Opens a table; the mapping's `encoding` precedes the .cpg file's. Throws `CommandError`. */
export async function openDbf(
  part: Part,
  encoding: string | undefined,
  notes?: ReadingNotes,
): Promise<DbfTable> {
  const reader = new ByteReader(await part.open())
  const head = await reader.take(32)
  const headLength = head?.readUInt16LE(8) ?? 0
  const recordLength = head?.readUInt16LE(10) ?? 0
  if (head === undefined || headLength < 65 || recordLength < 2) {
    throw new CommandError(`${part.shown} is not a dBASE table`)
  }
  const described = await reader.take(headLength - 32)
  if (described === undefined) throw new CommandError(`${part.shown} is cut short`)
  const fields = readFields(described)
  const decode = makeDecoder(encoding ?? (await readCodePage(part)) ?? CODE_PAGES[head[29] ?? 0])
  const count = head.readUInt32LE(4)
  let read = 0
  const memos = fields.filter(isMemo).map(({ name }) => name)
  if (memos.length > 0) {
    const names = `the memo columns ${memos.join(', ')}`
    notes?.warn(`${part.shown}: texts of ${names} are in another file: none is read`)
  }
  return {
    fields,
    count,
    async next() {
      const record = reader.takeNow(recordLength) ?? (await reader.take(recordLength))
      if (read >= count) {
        // A row begins with a blank or, when deleted, a star; 0x1A ends the table.
        if (record === undefined || (record[0] !== 0x20 && record[0] !== 0x2a)) {
          const more = `its header counts ${count} rows, and it has ${read}: all are read`
          if (read > count) notes?.warn(`${part.shown}: ${more}`)
          return undefined
        }
      } else if (record === undefined) {
        throw new CommandError(
          `${part.shown} is cut short: its header says ${count} rows, the file has ${read}`,
        )
      }
      read += 1
      if (record === undefined) return undefined
      return record[0] === 0x2a ? null : fields.map((field) => readValue(record, field, decode))
    },
    close: () => reader.close(),
  }
}

/** Reports whether a field has the number of a block of another file: a text, picture or object. */
function isMemo({ type, length }: DbfField): boolean {
  return /[MGPW]/.test(type) || (type === 'B' && length !== 8)
}

function readFields(described: Buffer): DbfField[] {
  const fields: DbfField[] = []
  let offset = 1
  for (let at = 0; at + 32 <= described.length && described[at] !== 0x0d; at += 32) {
    const name = described
      .toString('latin1', at, at + 11)
      .replace(/\0.*$/s, '')
      .trim()
    const type = String.fromCharCode(described[at + 11] ?? 0)
    const length = described[at + 16] ?? 0
    // Long text fields keep the upper byte of their length in the decimals byte.
    const whole = type === 'C' ? length + 256 * (described[at + 17] ?? 0) : length
    fields.push({ name, type, offset, length: whole })
    offset += whole
  }
  return fields
}

function readValue(record: Buffer, field: DbfField, decode: (bytes: Buffer) => string): string {
  const bytes = record.subarray(field.offset, field.offset + field.length)
  // FoxPro keeps a column of its own, of type 0, that says which values are null.
  if (isMemo(field) || field.type === '0') return ''
  if (bytes.length === 8) {
    if (field.type === 'O' || field.type === 'B') return showDouble(bytes.readDoubleLE(0))
    // FoxPro's money, in ten-thousandths.
    if (field.type === 'Y') return String(Number(bytes.readBigInt64LE(0)) / 10_000)
    if (field.type === 'T') return showTime(bytes.readInt32LE(0), bytes.readInt32LE(4))
  }
  if ((field.type === 'I' || field.type === '+') && bytes.length === 4) {
    return String(bytes.readInt32LE(0))
  }
  const text = decode(bytes)
    .replace(/[\0 ]+$/, '')
    .trimStart()
  if (field.type === 'L') return text === '?' ? '' : text
  return field.type === 'N' || field.type === 'F' ? showNumber(text) : text
}

/**
 * A number as text; dBASE writes stars for one that is too wide. `101.00000000000` and
 * `1.01000000000e+02` are an ID 101, unless the exponent took digits away.
 */
function showNumber(text: string): string {
  if (text.startsWith('*')) return ''
  const found = text.includes('.') ? DOUBLE.exec(text) : null
  if (found === null) return text
  const [, zeros, decimals = '', exponent] = found
  if (zeros !== undefined) return text.slice(0, -zeros.length - 1)
  return decimals.length < Number(exponent) ? text : String(Number(text))
}

/** A whole number with at least six zeros behind the point, or a number with an exponent. */
const DOUBLE = /^-?\d+\.(0{6,})$|^-?\d\.(\d{6,})e\+?0*(\d{1,2})$/i

/** The Julian day of 1970-01-01. */
const EPOCH_DAY = 2_440_588

/** FoxPro's time: a Julian day and milliseconds. A time that is not known is zeros or blanks. */
function showTime(day: number, ms: number): string {
  const at = new Date((day - EPOCH_DAY) * DAY_MS + ms)
  return day > 0 && Number.isFinite(at.getTime()) ? at.toISOString() : ''
}

async function readCodePage(part: Part): Promise<string | undefined> {
  const cpg = part.beside('.cpg')
  if (cpg === undefined) return undefined
  const text = (await buffer(await cpg.open())).toString('latin1').trim().toLowerCase()
  if (/^utf-?8$|^65001$/.test(text)) return 'utf-8'
  if (/^oem$|^(?:ibm|cp|dos|oem)?[ -]?437$/.test(text)) return 'cp437'
  if (/^(?:ibm|cp|dos|oem)?[ -]?850$/.test(text)) return 'cp850'
  const page = /(\d{3,5})(?:-\d+)?$/.exec(text)?.[1]
  const names = [text, `windows-${page}`, page === '88591' ? 'windows-1252' : text]
  return names.find((name) => isKnown(name))
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding) !== undefined
  } catch {
    return false
  }
}

/** Cuts a letter of UTF-8 that the end of the field has cut. */
function cutLetter(bytes: Buffer): Buffer {
  const start = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0)
  const isLetter = (bytes[start] ?? 0) >= 0xc0 && !isUtf8(bytes.subarray(start))
  return isLetter && isUtf8(bytes.subarray(0, start)) ? bytes.subarray(0, start) : bytes
}

/** Decodes valid UTF-8 as UTF-8 whatever the code page mark, since marks are often wrong. */
function makeDecoder(encoding: string | undefined): (bytes: Buffer) => string {
  const isWestern = encoding === undefined || encoding === 'utf-8'
  const other = isWestern || /^cp/.test(encoding) ? undefined : new TextDecoder(encoding)
  const decode = dosDecoder(encoding ?? '') ?? other?.decode.bind(other) ?? decodeWestern
  return (bytes) => {
    if (isAscii(bytes)) return bytes.toString('latin1')
    const whole = encoding === 'utf-8' ? cutLetter(bytes) : bytes
    if (whole.length < bytes.length) return whole.toString('utf8')
    return isUtf8(bytes) ? bytes.toString('utf8') : decode(bytes)
  }
}
