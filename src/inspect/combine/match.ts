/** Reads files again and counts how many keys of one table occur in another. */
import { Columns, compileValue, type Getter } from '../../import/mapping/expression.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { readSource } from '../../import/source.ts'
import { Sketch } from '../sample/distinct.ts'
import { type SampleOptions, sourceOf } from '../sample/sample.ts'
import type { Pair } from './pairs.ts'

/** How well the keys of two tables match. */
export type Match = {
  pair: Pair
  /**
   * Share of the other table's keys that the roll has, and of the roll's keys that the other has.
   */
  found: number
  covered: number
  /** Distinct keys per row with a key. */
  rollUnique: number
  otherUnique: number
}

/** Smallest share of common keys for a join; a smaller one may be chance. */
const COMMON = 0.5
/** A key that repeats in both tables would multiply rows, so one of them must be this unique. */
const UNIQUE = 0.9
/** Fewest common keys; in short tables a few numbers agree by chance. */
const FEWEST = 3

/** Builds sketches of several keys of a table, by the key's JSON. */
export async function sketchKeys(
  paths: string[],
  options: SampleOptions,
  values: Value[],
): Promise<Map<string, Sketch>> {
  const sketches = new Map(values.map((value) => [JSON.stringify(value), new Sketch()]))
  for await (const { columns, rows } of readBatches(paths, options)) {
    for (const [json, sketch] of sketches) {
      const get = compileValue(JSON.parse(json), columns, [])
      if (get === undefined) continue
      for (const row of rows) {
        const text = get(row)
        if (text !== null) sketch.add(text.toUpperCase())
      }
    }
  }
  return sketches
}

/**
 * Returns rows of a table by key: the first row of each key in `wanted`, with values in the order
 * of `names`.
 */
export async function findRows(
  batches: ReturnType<typeof readBatches>,
  key: Value,
  wanted: ReadonlySet<string>,
  names: string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for await (const { columns, rows } of batches) {
    const get = compileValue(key, columns, [])
    if (get === undefined) continue
    const places = names.map((name) => columns.find(name))
    for (const row of rows) {
      const text = get(row)?.toUpperCase()
      if (text === undefined || !wanted.has(text) || found.has(text)) continue
      found.set(
        text,
        places.map((at) => Buffer.from(at === undefined ? '' : (row[at] ?? '')).toString()),
      )
    }
  }
  return found
}

/** Compiles the key of a kept row, for the columns of its table. */
export function compileKey(value: Value, columns: string[]): Getter {
  const get = compileValue(value, new Columns(columns), [])
  return (row) => get?.(row)?.toUpperCase() ?? null
}

/** Reads the rows of files, a batch at a time. */
export async function* readBatches(paths: string[], options: SampleOptions) {
  for await (const { columns, rows } of readSource(paths, sourceOf(options))) {
    yield { columns: new Columns(columns), rows }
  }
}

/**
 * Returns the pair with the most common keys, or `undefined` when none joins the tables. The first
 * of equals is taken.
 */
export function chooseMatch(
  pairs: Pair[],
  roll: Map<string, Sketch>,
  other: Map<string, Sketch>,
): Match | undefined {
  const matches = pairs.map((pair): Match => {
    const to = roll.get(JSON.stringify(pair.to)) ?? new Sketch()
    const key = other.get(JSON.stringify(pair.key)) ?? new Sketch()
    const { share: found, of } = key.sharedWith(to)
    const { share: covered, of: all } = to.sharedWith(key)
    const isTold = Math.min(of, all) >= FEWEST
    return {
      pair,
      found: isTold ? found : 0,
      covered: isTold ? covered : 0,
      rollUnique: to.distinct() / Math.max(1, to.rows),
      otherUnique: key.distinct() / Math.max(1, key.rows),
    }
  })
  const good = matches.filter(
    ({ found, covered, rollUnique, otherUnique }) =>
      Math.max(found, covered) >= COMMON && Math.max(rollUnique, otherUnique) >= UNIQUE,
  )
  return good.reduce<Match | undefined>(
    (best, one) => (best === undefined || worth(one) > worth(best) + 0.005 ? one : best),
    undefined,
  )
}

const worth = ({ found, covered, rollUnique }: Match) =>
  (Math.max(found, covered) + 0.2 * Math.min(found, covered)) * (0.5 + 0.5 * rollUnique)
