/** Adds code tables to the draft that are in a layer's description but not in its rows. */
import { columnKey } from '../../import/mapping/expression.ts'
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import type { ColumnHints } from '../sample/column-hints.ts'
import type { DraftBuilder, Entry } from './draft-builder.ts'

/** A table with more codes is a list of places or persons. */
const MOST_CODES = 400

/** Fields that keep a code, and the field that holds the code's text. */
const TEXT_OF: Readonly<Record<string, string>> = {
  useCode: 'useDescription',
  zoningCode: 'zoningDescription',
}

/** Fields that hold a recorded code, a number or a place; a code table does not improve them. */
const RAW =
  /^(?:parcelId|alternateParcelIds|county|state|useCodeLocal|residential|owner(?:State|ZipCode))$/

/** Replaces codes by their texts when no column of the rows has the texts. */
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
