/**
 * Code tables that a layer's description tells and its rows do not show become tables of the draft.
 */
import { columnKey } from '../../import/mapping/expression.ts'
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import type { ColumnHints } from '../sample/column-hints.ts'
import type { DraftBuilder, Entry } from './draft-builder.ts'

/** Tables of more codes are lists of places or persons. */
const MOST_CODES = 400

/** Fields that keep a code as it is, and the field of its text. */
const TEXT_OF: Readonly<Record<string, string>> = {
  useCode: 'useDescription',
  zoningCode: 'zoningDescription',
}

/** Fields that hold a code as recorded, a number or a place: a table says nothing better. */
const RAW =
  /^(?:parcelId|alternateParcelIds|county|state|useCodeLocal|residential|owner(?:State|ZipCode))$/

/** Turns codes into their texts, where no column of the rows has the texts. */
export function addCodeTables(builder: DraftBuilder, hints: ColumnHints | undefined): void {
  if (hints === undefined) return
  const columns = new Set(builder.sample.columns.map(({ name }) => columnKey(name)))
  for (const entry of [...builder.entries]) {
    const { value, section, name } = entry
    if (typeof value !== 'string' || RAW.test(name)) continue
    const codes = hints.get(columnKey(value))?.codes
    if (codes === undefined || codes.size === 0 || codes.size > MOST_CODES) continue
    if (columns.has(columnKey(TEXT_PREFIX + value))) continue
    const coded = { column: value, codes: Object.fromEntries(codes) }
    const why = `${entry.why}; its texts are the layer's code table`
    const textField = TEXT_OF[name]
    if (textField === undefined)
      Object.assign(entry, { value: coded, why } satisfies Partial<Entry>)
    else if (!builder.has(section, textField)) {
      builder.entries.push({ ...entry, name: textField, value: coded, why })
    }
  }
}
