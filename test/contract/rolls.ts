/** Invented rolls in the mapping `platbook`, written as rows of named columns. */

export type Row = Record<string, string | number>

/**
 * Rows as CSV: the columns are all that any row names; `state`, `county` and `parcelId` get
 * invented ones.
 */
export function makeRoll(rows: Row[]): string {
  const whole = rows.map(
    (row, at): Row => ({
      state: 'WI',
      county: 'Dane',
      parcelId: String(at + 1).padStart(5, '0'),
      ...row,
    }),
  )
  const columns = [...new Set(whole.flatMap((row) => Object.keys(row)))]
  const lines = whole.map((row) => columns.map((column) => quote(row[column] ?? '')).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}

/** As many rows as asked, each made of its number, counted from 1. */
export function times(count: number, make: (number: number) => Row): Row[] {
  return Array.from({ length: count }, (_, at) => make(at + 1))
}

/** A column of a state's name list, a street or a city that no real roll has been asked for. */
export const STATE = 'WI'

function quote(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`
}
