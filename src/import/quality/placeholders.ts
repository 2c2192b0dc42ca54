/** Finds fields in which one value means unknown. */
import type { Finding } from '../../base/model/quality.ts'
import type { JudgedParcel } from './judge-parcel.ts'

/** What a pass over the files has counted. */
export type CountedRows = {
  /** Rows that were read. */
  rows: number
  /** Rows that repeat the parcel ID of another one, by county; 0: equal rows, of any county. */
  repeated: ReadonlyMap<number, number>
  /** Placeholders that became unknown, by field. */
  placeholders: Readonly<Record<string, number>>
}

/** What the import itself has counted. */
export type ImportCounts = CountedRows & {
  /** Epoch seconds. */
  loadedAt: number
  /** Rows that were not read again, because they are those of the last import. */
  unchanged: number
}

/** Values that are rarely true and often typed for unknown. */
const SUSPECTS = {
  yearBuilt: [1, 1000, 1111, 1800, 1900, 9999],
  buildingArea: [1, 100, 999, 9999, 99_999],
  totalMarketValue: [1, 10, 100, 999_999, 9_999_999, 99_999_999],
  totalAssessedValue: [1, 10, 100, 999_999, 9_999_999, 99_999_999],
  acres: [99, 99.99, 999, 999.99, 9999],
} as const satisfies Record<string, readonly number[]>

/** Largest share of a field that may be one such value. */
const SHARE_MAX = 0.01

type Field = keyof typeof SUSPECTS
const FIELDS = Object.keys(SUSPECTS) as Field[]

export class PlaceholderCounter {
  readonly #of = new Map<Field, number>()
  readonly #counts = new Map<string, { field: Field; count: number }>()

  see({ buildings, totalMarketValue, totalAssessedValue, acres }: JudgedParcel): void {
    const { actualYearBuilt = null, buildingArea = null } = buildings.at(0) ?? {}
    const values = {
      ...{ yearBuilt: actualYearBuilt, buildingArea, totalMarketValue, totalAssessedValue, acres },
    }
    for (const field of FIELDS) {
      const value = values[field]
      if (value === null) continue
      this.#of.set(field, (this.#of.get(field) ?? 0) + 1)
      if (!(SUSPECTS[field] as readonly number[]).includes(value)) continue
      const key = `${field} ${value}`
      const known = this.#counts.get(key) ?? { field, count: 0 }
      known.count += 1
      this.#counts.set(key, known)
    }
  }

  /** Counts the fields at fault. `dropped`: those of which the import dropped placeholders. */
  finish(dropped: readonly string[]): Finding {
    const found = new Set(dropped)
    for (const { field, count } of this.#counts.values()) {
      if (count > SHARE_MAX * (this.#of.get(field) ?? 0)) found.add(field)
    }
    const of = new Set([...FIELDS, ...found]).size
    return { count: found.size, of, examples: [], fields: [...found].sort() }
  }
}

/**
 * Lists fields of which the import dropped over 1 % as unknown. Where rows were not read again,
 * those of the last import count still.
 */
export function listDropped(counts: ImportCounts, before: readonly string[]): string[] {
  const { placeholders, rows, unchanged } = counts
  const names = Object.keys(placeholders)
  const many = names.filter((name) => (placeholders[name] ?? 0) > SHARE_MAX * rows)
  return [...new Set([...many, ...(unchanged > 0 ? before : [])])]
}
