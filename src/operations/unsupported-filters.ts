/** Names of filters that clients of similar services send and this service does not support. */
import { readTable } from '../base/tables.ts'
import { foldName, type NameTest } from './given-query.ts'

const NAMES = readTable('unsupported-filters.txt').flatMap((line) => line.split(' '))

/** Words that clients write before and after the name of a filter. */
const BEFORE = ['is', 'has', 'in', 'not', 'min', 'max', 'from', 'to']
const AFTER = [
  ...['min', 'max', 'from', 'to', 'start', 'end', 'since', 'after', 'before', 'between', 'range'],
  ...['gt', 'gte', 'lt', 'lte', 'eq', 'in', 'contains'],
]

const FORMS = new Set(
  NAMES.map(foldName).flatMap((name) => [
    name,
    name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`,
  ]),
)

/**
 * The folded names of filters that the service lacks, also with a word such as `min`: `beds_min`,
 * `zipCodes`. A caller who asks for three bedrooms must not get a whole county. Names that an
 * operation declares are never refused.
 */
export const UNSUPPORTED_FILTERS: NameTest = {
  has: (name) =>
    FORMS.has(name) ||
    AFTER.some((word) => name.endsWith(word) && FORMS.has(name.slice(0, -word.length))) ||
    BEFORE.some((word) => name.startsWith(word) && FORMS.has(name.slice(word.length))),
}

/** The same without `county`, which the plain owner search ignores. */
export const UNSUPPORTED_BY_OWNERS: NameTest = {
  has: (name) => name !== 'county' && UNSUPPORTED_FILTERS.has(name),
}
