/** The tables that are copied between stores, and the form in which their rows are compared. */
import { COLUMNS } from '../columns.ts'

/** A transferred value; bytes are hex digits. */
type Cell = string | number | boolean | null
/** Cells in the order of the table's columns. */
export type Row = Cell[]

type Column = { name: string; kind: 'text' | 'number' | 'flag' | 'bytes' }

/**
 * `order`: the columns of its primary key, within a state for tables of the rolls. Texts are
 * ordered by bytes.
 */
export type CopyTable = { name: string; columns: Column[]; order: string[] }

/** Tables of the rolls, copied state by state; the first column is the state. */
export const ROLL_TABLES: CopyTable[] = [
  table('parcels', 'id', ['state', 'id:number', ...COLUMNS.filter(isNotState).map(columnText)]),
  table('records', 'id', ['state', 'id:number', 'loaded_at:number', 'field_values', 'keys']),
  table('geometries', 'id', ['state', 'id:number', 'geojson']),
  table('alternate_ids', 'fips key id', ['state', 'fips:number', 'key', 'id:number']),
  table('situs', 'key id unit kind own_key', [
    ...['state', 'key', 'id:number', 'unit', 'kind:number', 'own_key'],
  ]),
  table('loose_situs', 'loose_key key', ['state', 'loose_key', 'key']),
  table('owner_heads', 'head id slot kind', [
    ...['state', 'head', 'id:number', 'slot:number', 'kind:number', 'fips:number', 'rest'],
  ]),
  table('owner_words', 'word id slot', [
    ...['state', 'word', 'id:number', 'slot:number', 'fips:number'],
  ]),
  table('owner_deletions', 'deletion word', ['state', 'deletion', 'word']),
  table('scopes', 'fips municipality', [
    ...['state', 'fips:number', 'municipality', 'parcels:number', 'roll_year:number'],
    ...['loaded_at:number', 'filled'],
  ]),
  table('sale_tests', 'fips', ['state', 'fips:number', 'result']),
  table('qualities', 'fips loaded_at', ['state', 'fips:number', 'loaded_at:number', 'result']),
  table('origins', 'block number', ['state', 'block:number', 'number:number', 'data:bytes']),
  table('origin_imports', 'number', [
    ...['state', 'number:number', 'import:number', 'scopes', 'document:bytes'],
  ]),
  table('kept_rows', 'number part line', [
    ...['state', 'number:number', 'part:number', 'line:number', 'data:bytes'],
  ]),
  table('changes', 'sequence', [
    ...['state', 'sequence:number', 'what', 'id:number', 'property_id', 'fips:number'],
    ...['municipality', 'groups:number', 'parcels:number', 'loaded_at:number', 'import:number'],
  ]),
  table('change_heads', 'state', ['state', 'last:number']),
  table('facts', 'fact block', [
    ...['state', 'fact:number', 'block:number', 'version:number', 'data:bytes'],
  ]),
  table('versions', 'id day import', [
    ...['state', 'id:number', 'day:number', 'import:number', 'what:number', 'fips:number'],
    ...['municipality', 'loaded_at:number', 'difference'],
  ]),
  table('past_keys', 'key id', ['state', 'key', 'id:number']),
  table('vintages', 'fips municipality day import', [
    ...['state', 'fips:number', 'municipality', 'day:number', 'import:number', 'roll_year:number'],
    ...['source', 'loaded_at:number'],
  ]),
  table('lineage', 'parent child day import', [
    ...['state', 'parent:number', 'child:number', 'day:number', 'import:number', 'fips:number'],
    ...['municipality', 'kind:number', 'parent_share:number', 'child_share:number'],
    'evidence:number',
  ]),
]

/** Accounts, keys and the ledger, copied in one step. A table comes after those it refers to. */
export const ACCOUNT_TABLES: CopyTable[] = [
  table('account', 'id', [
    ...['id', 'name', 'created_at:number', 'data_reads', 'response_shape', 'suspended:flag'],
    ...['billing', 'subscription', 'payment_method', 'unpaid_invoices:number'],
    ...['included_tokens:number', 'overage_cap:number', 'past_due_grace_days:number'],
    ...['past_due_since:number', 'period_start', 'period_end', 'billing_url', 'empty_fields'],
    ...['use_codes', 'requests_per_minute:number', 'watches_max:number'],
    ...['watched_parcels_max:number', 'plan', 'plan_terms', 'own_facts'],
  ]),
  table('key', 'id', [
    ...['id', 'account_id', 'hash:bytes', 'secret_id', 'prefix', 'label', 'created_at:number'],
    ...['revoked_at:number', 'last_used_at:number'],
  ]),
  table('ledger', 'id', [
    ...['id:number', 'account_id', 'seq:number', 'request_id', 'key_id', 'period', 'endpoint'],
    ...['cost:number', 'at:number', 'reason', 'hash:bytes', 'idempotency', 'fingerprint'],
  ]),
  table('ledger_head', 'account_id', head()),
  table('usage_day', 'account_id period day endpoint', [
    ...['account_id', 'period', 'day', 'endpoint', 'requests:number', 'tokens:number'],
  ]),
  table('ledger_checkpoint', 'account_id', head()),
  table('ledger_checked', 'one', ['one:number', 'id:number']),
  table('plan', 'name', ['name', 'terms']),
  table('suppression', 'id', [
    ...['id', 'kind', 'scope', 'state', 'fips:number', 'hashes', 'basis'],
    ...['created_at:number', 'until', 'ended_at:number'],
  ]),
  table('suppression_pending', 'id', ['id']),
  table('price', 'operation', ['operation', 'tokens:number']),
  table('billing_link', 'account_id', [
    ...['account_id', 'customer', 'linked_at:number', 'revision:number', 'synced_at:number'],
    ...['facts', 'problem'],
  ]),
  table('billing_event', 'id', [
    ...['id', 'type', 'customer', 'version', 'hash', 'created:number', 'applied_at:number'],
  ]),
  table('billing_overage', 'account_id period part', [
    ...['account_id', 'period', 'part:number', 'tokens:number', 'included:number'],
    ...['first_row:number', 'last_row:number', 'head', 'unit', 'currency', 'item', 'invoice'],
    'at:number',
  ]),
  table('billing_state', 'one', ['one:number', 'polled_at:number', 'polled_to:number']),
  table('watch', 'id', [
    ...['id', 'account_id', 'name', 'kind', 'condition', 'groups:number', 'url', 'secret'],
    ...['old_secret', 'old_secret_until:number', 'status', 'created_at:number', 'starts'],
    ...['parcels:number', 'newest:number', 'delivered:number'],
  ]),
  table('watch_parcel', 'parcel_key watch_id', ['parcel_key', 'watch_id', 'property_id']),
  table('watch_event', 'number', [
    ...['number:number', 'id', 'watch_id', 'state', 'parcel:number', 'import:number', 'what'],
    ...['property_id', 'fips:number', 'groups:number', 'at:number'],
  ]),
  table('watch_delivery', 'id', [
    ...['id', 'watch_id', 'host', 'last_event:number', 'events:number', 'attempts:number'],
    ...['next_at:number', 'status', 'answer', 'created_at:number', 'ended_at:number'],
  ]),
  table('watch_position', 'state', ['state', 'sequence:number']),
  table('watch_state', 'one', ['one:number', 'version:number', 'last_event:number']),
  table('audit_state', 'one', [
    ...['one:number', 'base_id:number', 'base_hash:bytes', 'newest_id:number', 'newest_hash:bytes'],
  ]),
  table('audit', 'id', [
    ...['id:number', 'at:number', 'account_id', 'key_id', 'request_id', 'operation', 'query'],
    ...['ids', 'hash:bytes'],
  ]),
  table('audit_filter', 'segment', ['segment:number', 'bits:bytes']),
  table('operator_log', 'id', ['id:number', 'at:number', 'kind', 'subject', 'state', 'hash:bytes']),
]

/** Formats a column of `parcels` in the notation below. */
function columnText({ name, type }: (typeof COLUMNS)[number]): string {
  return type === 'text' ? name : `${name}:${type === 'flag' ? 'flag' : 'number'}`
}

function isNotState({ name }: (typeof COLUMNS)[number]): boolean {
  return name !== 'state'
}

function head(): string[] {
  return ['account_id', 'rows:number', 'hash:bytes', 'period', 'used:number']
}

/** A column is `name` for a text, else `name:kind`. */
function table(name: string, order: string, columns: string[]): CopyTable {
  return {
    name,
    order: order.split(' '),
    columns: columns.map((text) => {
      const [column = '', kind = 'text'] = text.split(':')
      return { name: column, kind: kind as Column['kind'] }
    }),
  }
}
