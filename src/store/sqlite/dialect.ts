/** How SQLite writes the SQL that both databases share. */
import type { SQLInputValue } from 'node:sqlite'
import type { ReadDialect } from '../rolls/roll-sql.ts'
import { unpackKeys } from './packed-keys.ts'

export const DIALECT: ReadDialect = {
  of: () => '',
  isIn: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  bytes: (column) => column,
  readBytes: (value) => value as Uint8Array,
  keys: 'r.keys',
  readKeys: unpackKeys,
}

/** Values by the names of their parameters: `$1`. */
export function bindValues(values: readonly unknown[]): Record<string, SQLInputValue> {
  return Object.fromEntries(values.map((value, at) => [`$${at + 1}`, asInput(value)]))
}

/** SQLite has no boolean type, and takes a list as JSON. */
export function asInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue)
}
