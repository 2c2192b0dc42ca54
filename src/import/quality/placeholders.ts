/** Finds fields in which one value means unknown. */
import type { Finding } from '../../base/model/quality.ts'
import type { JudgedParcel } from './judge-parcel.ts'

/** What a pass over the files has counted. */
export type CountedRows = {
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

export class PlaceholderCounter {
  readonly #fields = Object.entries(SUSPECTS).map(([field, suspects]) => ({
    field: field as keyof typeof SUSPECTS,
    of: 0,
    counts: new Map<number, number>(suspects.map((value) => [value, 0])),
  }))

  see(parcel: JudgedParcel): void {
    for (const one of this.#fields) {
      const value = parcel[one.field]
      if (Number.isNaN(value)) continue
      one.of += 1
      const count = one.counts.get(value)
      if (count !== undefined) one.counts.set(value, count + 1)
    }
  }

  /** Counts the fields at fault. `dropped`: those of which the import dropped placeholders. */
  finish(dropped: readonly string[]): Finding {
    const found = new Set(dropped)
    for (const { field, of, counts } of this.#fields) {
      if (Math.max(...counts.values()) > SHARE_MAX * of) found.add(field)
    }
    const of = new Set([...Object.keys(SUSPECTS), ...found]).size
    return { count: found.size, of, examples: [], fields: [...found].sort() }
  }
}

/** Fields with over 1 % dropped as unknown; if rows were not read again, those of `before` too. */
export function listDropped(counts: ImportCounts, before: readonly string[]): string[] {
  const { placeholders, rows, unchanged } = counts
  const names = Object.keys(placeholders)
  const many = names.filter((name) => (placeholders[name] ?? 0) > SHARE_MAX * rows)
  return [...new Set([...many, ...(unchanged > 0 ? before : [])])]
}
