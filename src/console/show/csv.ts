/** Records as CSV, RFC 4180. */
import { Readable } from 'node:stream'
import { nextTurn } from '../../base/event-loop.ts'
import { guardFormula } from '../../render/formulas.ts'
import type { FlatRecord } from './words.ts'

/** Records that are read or written at once; other requests are answered between. */
const SLICE = 500

/** Writes a column for every field that any record has; a list is written as JSON. */
export function toCsv(records: readonly FlatRecord[]): Readable {
  return Readable.from(writeLines(records))
}

async function* writeLines(records: readonly FlatRecord[]) {
  const isUsed = new Map<string, boolean>()
  for await (const slice of sliceUp(records)) {
    for (const record of slice) {
      for (const name of Object.keys(record)) {
        if (isUsed.get(name) !== true) isUsed.set(name, !isEmpty(record[name]))
      }
    }
  }
  const columns = [...isUsed.keys()].filter((name) => isUsed.get(name))
  const lineOf = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`
  yield lineOf(columns)
  for await (const slice of sliceUp(records)) {
    yield slice.map((row) => lineOf(columns.map((name) => showCell(row[name])))).join('')
  }
}

async function* sliceUp(records: readonly FlatRecord[]) {
  for (let at = 0; at < records.length; at += SLICE) {
    yield records.slice(at, at + SLICE)
    await nextTurn()
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function showCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Quotes a cell; a text that a spreadsheet would run as a formula gets an apostrophe first. */
export function quoteCell(cell: string): string {
  const safe = guardFormula(cell)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
