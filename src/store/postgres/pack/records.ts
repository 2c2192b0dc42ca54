/** Packs records that are written, and reads their keys. */
import { cleanText } from '../write/copy-in.ts'
import { packBoth } from './pack.ts'
import { unpackHex } from './unpack.ts'

/** Returns the bytes of a record's `fieldValues`, and of its keys, which are packed after them. */
export function packRecord(fieldValues: string, keys: string): [fieldValues: Buffer, keys: Buffer] {
  return packBoth(cleanText(fieldValues), cleanText(keys))
}

/** Returns keys whose bytes were read as hex digits: `encode(keys, 'hex')`. */
export function unpackKeys(hex: string, fieldValues: string): string {
  return unpackHex(hex, fieldValues)
}

/** SQL for the keys of a record `r`, which `unpackKeys` reads. */
export const KEYS = "encode(r.keys, 'hex') AS keys"
