/**
 * Lists next to each pattern of a draft the values that it matches, so that a person can check it.
 */
import { Columns, compileValue } from '../../import/mapping/expression.ts'
import type { Value, ValueRule } from '../../import/mapping/mapping.ts'
import type { Sample } from '../sample/sample.ts'
import type { Entry } from './draft-builder.ts'

/** Values listed per pattern; others are counted. */
const LISTED = 20
const LENGTH_MAX = 40
/** Fields with names of persons. A draft may be shared, so only their first word is shown. */
const PERSONAL = /^(?:owner|grant)/

/**
 * Adds comments to an entry: `// catches` for each `cut`, `replace` and case, `// others` for
 * values that no case matches.
 */
export function remarkPatterns(entry: Entry, sample: Sample): Entry {
  const columns = new Columns(sample.columns.map(({ name }) => name))
  const list = (values: string[]) =>
    listValues(PERSONAL.test(entry.name) ? values.map(maskName) : values)
  return { ...entry, value: remark(entry.value, columns, sample.kept, list) }
}

type List = (values: string[]) => string

function remark(value: Value, columns: Columns, rows: string[][], list: List): Value {
  if (typeof value === 'string') return value
  const inner = (some?: Value[]) => some?.map((one) => remark(one, columns, rows, list))
  const { cut, replace, cases, join, first, sum } = value
  const rule = { ...value, join: inner(join), first: inner(first), sum: inner(sum) }
  const isConstant = cases?.[0]?.pattern === '.'
  if (isConstant || (cut ?? replace ?? cases) === undefined) return dropUndefined(rule)
  const origin = valuesOf(withoutSteps(value), columns, rows)
  const caught = (pattern: string) => {
    const test = new RegExp(pattern, 'iu')
    return list(origin.filter((text) => test.test(text)))
  }
  return dropUndefined({
    ...rule,
    '// catches': cut === undefined ? undefined : caught(cut),
    replace: replace?.map((one) => ({ ...one, '// catches': caught(one.pattern) })),
    ...(cases && remarkCases(cases, valuesOf(withoutCases(value), columns, rows), list)),
  })
}

/** A value belongs to the first case that matches, as in an import. */
function remarkCases(cases: NonNullable<ValueRule['cases']>, values: string[], list: List) {
  const tests = cases.map(({ pattern }) => new RegExp(pattern, 'iu'))
  const groups = Map.groupBy(values, (text) => tests.findIndex((test) => test.test(text)))
  return {
    cases: cases.map((one, at) => ({ ...one, '// catches': list(groups.get(at) ?? []) })),
    '// others': list(groups.get(-1) ?? []),
  }
}

function valuesOf(rule: ValueRule, columns: Columns, rows: string[][]): string[] {
  const get = compileValue(rule, columns, [])
  return rows.map((row) => get?.(row) ?? null).filter((text) => text !== null)
}

/** Returns the rule with only its source. */
function withoutSteps({ column, join, with: between, first, sum, nulls }: ValueRule): ValueRule {
  return dropUndefined({ column, join, with: between, first, sum, nulls })
}

function withoutCases({ cut, replace, codes, ...rule }: ValueRule): ValueRule {
  return dropUndefined({ ...withoutSteps(rule), cut, replace, codes })
}

/** An absent property, not one that is `undefined`. */
function dropUndefined(rule: object): ValueRule {
  return Object.fromEntries(Object.entries(rule).filter(([, one]) => one !== undefined))
}

/** Lists distinct values with their counts, the commonest first. */
function listValues(values: string[]): string {
  const groups = [...Map.groupBy(values, (text) => text)]
    .map(([text, same]) => ({ text, count: same.length }))
    .sort((a, b) => b.count - a.count)
  if (groups.length === 0) return 'nothing in the rows that were kept'
  const shown = groups.slice(0, LISTED).map(({ text, count }) => `${cutText(text)} (${count})`)
  const more = groups.length - shown.length
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} values more`}`
}

const cutText = (text: string) =>
  text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 1)}…` : text

const maskName = (text: string) => text.replace(/^(\S+) .*$/, '$1 …')
