/** The tables filled from the keys of a parcel; see `store/parcel-keys.ts`. */

/**
 * A table filled from the keys, with the SQL that reads its columns from the element `e.value` of
 * the JSON list `list` of a parcel `p`. `primary`: number of columns in its primary key.
 */
export type KeyTable = {
  table: string
  list: 'i' | 's' | 'a' | 'h' | 'w'
  columns: string[]
  values: string[]
  primary: number
}

/** All tables filled from a parcel's keys. SQLite differs in the first one. */
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
      ...['CAST(e.value ->> 1 AS smallint)', 'e.value ->> 2'],
    ],
    primary: 6,
  },
  {
    table: 'owner_heads',
    list: 'h',
    columns: ['state', 'head', 'id', 'slot', 'kind', 'fips', 'rest'],
    values: [
      ...['p.state', 'e.value ->> 2', 'p.id', 'CAST(e.value ->> 0 AS smallint)'],
      ...['CAST(e.value ->> 1 AS smallint)', 'p.fips', 'e.value ->> 3'],
    ],
    primary: 5,
  },
  {
    table: 'owner_words',
    list: 'w',
    columns: ['state', 'word', 'id', 'slot', 'fips'],
    values: ['p.state', 'e.value ->> 1', 'p.id', 'CAST(e.value ->> 0 AS smallint)', 'p.fips'],
    primary: 4,
  },
]
