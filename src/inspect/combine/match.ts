/** Lists pairs of columns of two tables that may hold the same key, and counts common keys. */
import { Columns, columnKey, compileValue, type Getter } from '../../import/mapping/expression.ts'
import type { Value, ValueRule } from '../../import/mapping/mapping.ts'
import { readSource } from '../../import/source.ts'
import type { Guess } from '../recognize/guess.ts'
import type { Subject } from '../recognize/subject.ts'
import { Sketch } from '../sample/distinct.ts'
import { type Sample, type SampleOptions, sourceOf } from '../sample/sample.ts'
import type { Layout } from './layouts.ts'

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

export type Table = { layout: Layout; sample: Sample; subjects: Subject[]; guesses: Guess[] }

/** A key of one table and the same key of another, as in a mapping's `join`. */
type Pair = {
  /** How to read the key from the roll's and from the other table's columns. */
  to: Value
  key: Value
  toColumns: string[]
  keyColumns: string[]
  /** How the two are made equal, for a sentence; empty when they are equal as they are. */
  form: string
}

/**
 * Replacements that bring two spellings of a number to one form; the first that matches is used.
 */
const FORMS: { form: string; replace: ValueRule['replace'] }[] = [
  { form: '', replace: undefined },
  { form: 'without ".0"', replace: [{ pattern: '\\.0+$', with: '' }] },
  {
    form: 'without ".0" and leading zeros',
    replace: [
      { pattern: '\\.0+$', with: '' },
      { pattern: '^0+', with: '' },
    ],
  },
  { form: 'without signs', replace: [{ pattern: '[^A-Za-z0-9]', with: '' }] },
  {
    form: 'without signs and leading zeros',
    replace: [
      { pattern: '[^A-Za-z0-9]', with: '' },
      { pattern: '^0+', with: '' },
    ],
  },
]

const ID_FIELDS = new Set(['parcelId', 'alternateParcelIds', 'taxAccountNumber'])
/** Most columns of different names that are compared with each other. */
const MOST_IDS = 4
/** Columns that hold a part of an ID. */
const PART = new RegExp(
  '^(?:TAX)?(?:MAP|SHEET|SECTION|BLOCK|BLK|LOT|SUBLOT|QUAL|QUALIFIER|QCODE|UNIT' +
    '|MAJOR|MINOR|SWIS(?:CODE)?|SBL|PRINTKEY|TOWN(?:CODE|NAME)?|MUN(?:I|ICIPALITY' +
    '|ICODE|CODE)?|DISTRICT|DIST|PLAT|BORO(?:UGH)?|WARD|BOOK|PAGE|PARCEL' +
    '|COUNTY(?:CODE)?)(?:NO|NUM|NUMBER)?$',
)

/** Lists keys that may join `other` to `roll`, each in all forms. */
export function listPairs(roll: Table, other: Table): Pair[] {
  const names = new Map(other.subjects.map((one) => [columnKey(one.name), one]))
  const same = roll.subjects
    .map((one) => [one, names.get(columnKey(one.name))] as const)
    .filter((pair): pair is [Subject, Subject] => pair[1] !== undefined)
  const pairs: [string[], string[]][] = same
    .filter(([one, two]) => mayBeKey(one, roll) && mayBeKey(two, other))
    .map(([one, two]) => [[one.name], [two.name]])
  for (const one of idsOf(roll)) for (const two of idsOf(other)) pairs.push([[one], [two]])
  const parts = same.filter(([{ name }]) => PART.test(name.toUpperCase().replace(/[^A-Z0-9]/g, '')))
  if (parts.length > 1)
    pairs.push([parts.map(([one]) => one.name), parts.map(([, two]) => two.name)])
  const distinct = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))
  return [...distinct.values()].flatMap(([toColumns, keyColumns]) => {
    const isWhole = [roll, other].some(({ subjects }, at) =>
      subjects.some((one) => (at ? keyColumns : toColumns).includes(one.name) && hasPoints(one)),
    )
    return FORMS.filter(({ form }) => isWhole || !form.includes('.0')).map(({ form, replace }) => ({
      to: keyOf(toColumns, replace),
      key: keyOf(keyColumns, replace),
      toColumns,
      keyColumns,
      form,
    }))
  })
}

function keyOf(columns: string[], replace: ValueRule['replace']): Value {
  const parts = columns.map(
    (column): Value => (replace === undefined ? column : { column, replace }),
  )
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { join: parts, with: '-', all: true }
}

/** Reports whether a program read whole numbers as decimals: `1001.0`, and never `1001.5`. */
function hasPoints({ contents: { texts } }: Subject): boolean {
  const pointed = texts.filter((text) => text.includes('.'))
  return pointed.length > 0 && pointed.every((text) => /^\d+\.0+$/.test(text))
}

/** Row numbers are the same in any two tables, so they are not keys. */
function mayBeKey({ meaning, contents: c }: Subject, { sample }: Table): boolean {
  const { words } = meaning
  if (words.includes('row') || words.includes('geometry') || c.texts.length === 0) return false
  const isCounted =
    c.integer > 0.99 && c.high <= sample.rows * 1.1 && !words.includes('parcel') && c.coded < 0.5
  // `351720405.1203` is an ID of many digits, `0.25` none.
  const isMeasured = c.decimal > 0.5 && c.coded < 0.9
  return !isCounted && !isMeasured && c.idShape > 0.6 && c.date < 0.5 && c.distinct > 1
}

function idsOf(table: Table): string[] {
  const ids = table.guesses
    .filter(({ field, byName }) => ID_FIELDS.has(field) && byName > 0.2)
    .filter(({ subject }) => mayBeKey(subject, table))
    .sort((a, b) => b.byName - a.byName)
    .map(({ subject }) => subject.name)
  return [...new Set(ids)].slice(0, MOST_IDS)
}
