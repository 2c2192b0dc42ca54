/** The tables filled from the keys of a parcel, as SQLite has them. */
import { KEY_TABLES as ALL, type KeyTable } from '../../rolls/key-tables.ts'

/** A county code is of one state, and SQLite has another operator for a whole element. */
export const KEY_TABLES = ALL.map((own): KeyTable => {
  if (own.list !== 'i') return own
  const values = ['p.fips', 'e.value', 'p.id']
  return { ...own, columns: ['fips', 'key', 'id'], values, primary: 3 }
})
