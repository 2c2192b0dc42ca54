/** Records as CSV, RFC 4180. */
import { guardFormula } from '../../render/formulas.ts'
import type { FlatRecord } from './words.ts'

/** Writes a column for every field that any record has; a list is written as JSON. */
export function toCsv(records: readonly FlatRecord[]): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) =>
    records.some((record) => !isEmpty(record[name])),
  )
  const rows = records.map((record) => columns.map((name) => showCell(record[name])))
  return [columns, ...rows].map((cells) => `${cells.map(quoteCell).join(',')}\r\n`).join('')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || JSON.stringify(value) === '[]'
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
