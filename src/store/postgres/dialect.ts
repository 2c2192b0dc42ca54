/** How PostgreSQL writes the SQL that both databases share. */
import type { ReadDialect } from '../rolls/roll-sql.ts'
import { KEYS, unpackHex } from './pack/unpack.ts'

export const DIALECT: ReadDialect = {
  of: (table) => `${table}.state = $1 AND`,
  isIn: (parameter, type) => `= ANY(${parameter}::${type}[])`,
  // Connections that read rolls take bytes for packed texts.
  bytes: (column) => `encode(${column}, 'base64')`,
  readBytes: (value) => Buffer.from(String(value), 'base64'),
  keys: KEYS.replace(' AS keys', ''),
  readKeys: unpackHex,
}
