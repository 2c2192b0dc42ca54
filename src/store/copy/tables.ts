/**
 * The tables that are copied between stores, and the form in which their rows are compared. Columns
 * and keys are those of `postgres/baseline.sql`; SQLite has the same under the same names.
 */
import { readFileSync } from 'node:fs'

/** A transferred value; bytes are hex digits. */
type Cell = string | number | boolean | null
/** Cells in the order of the table's columns. */
export type Row = Cell[]

type Column = { name: string; kind: 'text' | 'number' | 'flag' | 'bytes' }

/** `order`: its primary key, within a state for tables of the rolls. Texts sort by bytes. */
export type CopyTable = { name: string; columns: Column[]; order: string[] }

const KINDS: Record<string, Column['kind']> = { text: 'text', boolean: 'flag', bytea: 'bytes' }

const BASELINE = readFileSync(new URL('../postgres/baseline.sql', import.meta.url), 'utf8')

const DECLARED = new Map(
  [...BASELINE.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\n\);/gms)].map(
    ([, name = '', body = '']) => {
      const columns = [...body.matchAll(/^ {2}([a-z]\w*) ([a-z]+)/gm)]
      const [, key = ''] =
        /PRIMARY KEY \((.*?)\)/.exec(body) ?? /^ {2}(\w+) .*PRIMARY KEY/m.exec(body) ?? []
      const table: CopyTable = {
        name,
        columns: columns.map(([, column = '', type = '']) => ({
          name: column,
          kind: KINDS[type] ?? 'number',
        })),
        order: key.split(', '),
      }
      return [name, table] as const
    },
  ),
)

/** Records are copied unpacked, with polygons, without the owner: the parcel has it. */
const RECORD_COLUMNS: Column[] = [
  { name: 'state', kind: 'text' },
  { name: 'id', kind: 'number' },
  { name: 'loaded_at', kind: 'number' },
  { name: 'geojson', kind: 'text' },
  { name: 'field_values', kind: 'text' },
  { name: 'keys', kind: 'text' },
]

/** Tables of the rolls, copied state by state; the first column is the state. */
export const ROLL_TABLES: CopyTable[] = listTables(
  `parcels records alternate_ids situs loose_situs owner_heads owner_words
  owner_deletions scopes sale_tests qualities origins origin_imports kept_rows changes change_heads
  facts versions past_keys vintages lineage`,
).map(({ order, ...table }) => ({
  ...table,
  order: order.length === 1 ? order : order.filter((name) => name !== 'state'),
  ...(table.name === 'records' && { columns: RECORD_COLUMNS }),
}))

/** Accounts, keys and the ledger, copied in one step. A table comes after those it refers to. */
export const ACCOUNT_TABLES: CopyTable[] = listTables(
  `account key ledger ledger_head usage_day ledger_checkpoint ledger_checked plan suppression
  suppression_pending price billing_link billing_event billing_overage billing_state watch
  watch_parcel watch_event watch_delivery watch_position watch_state audit_state audit audit_filter
  operator_log`,
)

function listTables(names: string): CopyTable[] {
  return names.split(/\s+/).map((name) => DECLARED.get(name) as CopyTable)
}

/** What a store keeps of its own progress, and a copy begins anew. */
export const STATE_TABLES = ['ledger_checked', 'billing_state', 'watch_state', 'audit_state']
