/** Says in words how a mapping makes a value, for people who compare it with their file. */
import type { Value, ValueRule } from './mapping.ts'

/** A code table with more entries is named and not written out. */
const LISTED_MAX = 6

/**
 * Describes a value, without a full stop. Columns are named as the mapping names them.
 *
 * @example describeValue({ join: ['NO', 'STREET'] }) // 'NO and STREET, joined by a blank'
 */
export function describeValue(value: Value): string {
  if (typeof value === 'string') return value
  return [describeOrigin(value), ...describeSteps(value)].join('; ')
}

function describeOrigin(rule: ValueRule): string {
  const { column, join, first, sum } = rule
  const all = rule.all === true ? ', if all are known' : ''
  if (rule.constant !== undefined) return `always ${JSON.stringify(rule.constant)}`
  if (rule.file === true) return 'the name of the file'
  if (column !== undefined) return [column].flat().join(' or ')
  if (join !== undefined) {
    const separator = rule.with ?? ' '
    const by = separator === ' ' ? 'a blank' : JSON.stringify(separator)
    return `${list(join)}, joined by ${by}${all}`
  }
  if (first !== undefined) return `the first known of ${list(first)}`
  return `the sum of ${list(sum ?? [])}${all}`
}

function list(values: readonly Value[]): string {
  const texts = values.map((one) => {
    const text = describeValue(one)
    return typeof one === 'string' || !/[;,]/.test(text) ? text : `(${text})`
  })
  const last = texts.pop() ?? ''
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`
}

function describeSteps(rule: ValueRule): string[] {
  const { when, nulls, cut, replace, codes, cases, otherwise, times, date, unit } = rule
  const show = (one: unknown) => (one === null ? 'unknown' : JSON.stringify(one))
  const entries = [
    ...Object.entries(codes ?? {}).map(([code, meaning]) => `${code} is ${show(meaning)}`),
    ...(cases ?? []).map(({ pattern, gives }) => `/${pattern}/ is ${show(gives)}`),
  ]
  const table =
    entries.length > LISTED_MAX ? `by a table of ${entries.length} codes` : entries.join(', ')
  return [
    ...(when === undefined ? [] : [`only where ${describeValue(when)} is known`]),
    ...(nulls === undefined ? [] : [`unknown where it is ${nulls.map(show).join(' or ')}`]),
    ...(cut === undefined ? [] : [`what /${cut}/ finds`]),
    ...(replace ?? []).map((one) => `/${one.pattern}/ becomes ${show(one.with)}`),
    ...(entries.length === 0 ? [] : [table]),
    ...(otherwise === undefined ? [] : [`else ${show(otherwise)}`]),
    ...(times === undefined ? [] : [`times ${times}`]),
    ...(date === undefined ? [] : [`a date as ${date}`]),
    ...(unit === undefined ? [] : [`in ${describeValue(unit)}`]),
  ]
}
