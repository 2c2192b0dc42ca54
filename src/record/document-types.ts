/** Kinds of documents that rolls spell out, and their usual abbreviations. */
import { readTable } from '../base/tables.ts'
import type { Transfer } from './parcel.ts'

/** Without the word DEED, which a roll may leave out where the entry is in `ALONE`. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  readTable('document-types.tsv').map((line) => line.split('\t') as [string, string]),
)

/** Kinds that are named without the word DEED too. */
const ALONE: ReadonlySet<string> = new Set(['WD', 'SW', 'LW', 'QC', 'BS'])

/**
 * Returns the usual abbreviation of a kind of document; null where there is none. A code before the
 * text is left out: `01 - Warranty Deed`.
 *
 * @example abbreviateDocument('Warranty Deed') // 'WD'
 */
export function abbreviateDocument(text: string): string | null {
  const words = text
    .toUpperCase()
    .replace(/^[A-Z0-9]{1,4}\s*[-:]\s+/, '')
    .replaceAll('&', ' AND ')
    .replace(/['’.]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim()
  const kind = words.replace(/ DEED$/, '')
  const found = ABBREVIATIONS.get(kind)
  if (found === undefined) return null
  return kind === words && !ALONE.has(found) ? null : found
}

/** Abbreviates the kind of document, and keeps what the roll spells out. */
export function abbreviate(transfer: Transfer): Transfer {
  const { documentType: recorded } = transfer
  const short = recorded === null ? null : abbreviateDocument(recorded)
  if (short === null || short === recorded) return transfer
  transfer.documentTypeRecorded = recorded
  transfer.documentType = short
  return transfer
}
