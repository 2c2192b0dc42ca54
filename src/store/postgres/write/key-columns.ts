/** The tables filled from the keys of a parcel; see `store/parcel-keys.ts`. */

/**
 * A table filled from the keys. It has its columns, and the SQL that reads them from the element
 * `e.value` of the JSON list `list`, for the parcel `p` with its `id`, `state` and `fips`.
 * `primary`: number of columns in its primary key.
 */
export type KeyTable = {
  table: string
  list: 'i' | 's' | 'a' | 'h' | 'w'
  columns: string[]
  values: string[]
  primary: number
}

/** All tables filled from a parcel's keys. */
export const KEY_TABLES: KeyTable[] = [
  {
    table: 'alternate_ids',
    list: 'i',
    columns: ['state', 'fips', 'key', 'id'],
    values: ['p.state', 'p.fips', "e.value #>> '{}'", 'p.id'],
    primary: 4,
  },
  {
    table: 'situs',
    list: 's',
    columns: ['state', 'key', 'id', 'unit', 'kind', 'own_key'],
    values: ['p.state', 'e.value ->> 0', 'p.id', 'e.value ->> 2', '0', "''"],
    primary: 6,
  },
  {
    table: 'situs',
    list: 'a',
    columns: ['state', 'key', 'id', 'unit', 'kind', 'own_key'],
    values: [
      ...['p.state', 'e.value ->> 0', 'p.id', 'e.value ->> 3'],
      ...['(e.value ->> 1)::smallint', 'e.value ->> 2'],
    ],
    primary: 6,
  },
  {
    table: 'owner_heads',
    list: 'h',
    columns: ['state', 'head', 'id', 'slot', 'kind', 'fips', 'rest'],
    values: [
      ...['p.state', 'e.value ->> 2', 'p.id', '(e.value ->> 0)::smallint'],
      ...['(e.value ->> 1)::smallint', 'p.fips', 'e.value ->> 3'],
    ],
    primary: 5,
  },
  {
    table: 'owner_words',
    list: 'w',
    columns: ['state', 'word', 'id', 'slot', 'fips'],
    values: ['p.state', 'e.value ->> 1', 'p.id', '(e.value ->> 0)::smallint', 'p.fips'],
    primary: 4,
  },
]

/**
 * Longer keys are not indexed: an index entry holds 2,700 bytes, and no name or street is nearly
 * that long.
 */
const KEY_MAX = 600

/** Drops the keys of a parcel that are too long for an index. */
export function dropEndlessKeys(keys: string): string {
  if (keys.length <= KEY_MAX) return keys
  const lists = Object.entries(JSON.parse(keys) as Record<string, unknown[]>)
  const kept = lists.map(([list, items]) => [list, items.filter((item) => !hasEndless(list, item))])
  return JSON.stringify(Object.fromEntries(kept))
}

function hasEndless(list: string, item: unknown): boolean {
  const texts = Array.isArray(item) ? item : [item]
  // The text after a surname is not a key, so `rest` may be of any length.
  return (list === 'h' ? texts.slice(0, 3) : texts).some(isEndless)
}

export function isEndless(key: unknown): boolean {
  return typeof key === 'string' && key.length > KEY_MAX
}
