/** Collects the parameter texts of a request, before they are parsed as values. */
import { refuse } from '../base/errors.ts'
import { withinOneEdit } from '../base/word-edits.ts'

/** The part of a declaration used here. `invalid`: the error for a text that is too long. */
type Declared = Readonly<Record<string, { type: string; repeats?: boolean; invalid?: string }>>

/** Most characters of one parameter; the whole request head is also limited to 8 KiB. */
export const TEXT_MAX = 1000

/** Between the texts of a parameter that may be repeated. No given text contains it. */
export const REPEATED = '\n'

type Names = {
  /** Each name with its index among all names. */
  placeOf: ReadonlyMap<string, number>
  /** The names of the query by their folded form. */
  spelled: ReadonlyMap<string, string>
}

/** A query string, or the names and texts in it. */
export type GivenQuery = string | readonly (readonly [name: string, text: string])[]

/**
 * Returns the raw texts of known parameters by the index of the name used. Throws *bad request* for
 * a repeated name or an unsupported filter, and as `checkText` does.
 */
export function collectGiven(
  declared: Declared,
  names: Names,
  query: GivenQuery,
  unsupported: NameTest | undefined,
): (string | undefined)[] {
  return typeof query === 'string'
    ? collect(declared, names, query, unsupported)
    : takePairs(declared, names, query, unsupported)
}

/** Tells folded names. */
export type NameTest = Pick<ReadonlySet<string>, 'has'>

/** Folds a name without case and punctuation: `zip_code`, `ZipCode` and `zipCode[0]` are equal. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/\[\d*\]|[^a-z0-9]/g, '')
}

/** As `collect`, for decoded texts. Other spellings are ignored: rows have columns of their own. */
function takePairs(
  declared: Declared,
  names: Names,
  pairs: Exclude<GivenQuery, string>,
  unsupported: NameTest | undefined,
): (string | undefined)[] {
  const given = new Array<string | undefined>(names.placeOf.size).fill(undefined)
  for (const [name, text] of pairs) {
    const place = names.placeOf.get(name)
    if (place !== undefined) {
      // A query string cannot contain a lone surrogate.
      given[place] = addText(given[place], name, text.toWellFormed(), declared)
    } else if (text !== '' && unsupported !== undefined) checkUnknown(name, names, unsupported)
  }
  return given
}

function collect(
  declared: Declared,
  names: Names,
  queryString: string,
  unsupported: NameTest | undefined,
): (string | undefined)[] {
  const given = new Array<string | undefined>(names.placeOf.size).fill(undefined)
  const decode = ENCODED.test(queryString) ? decodeText : asItIs
  for (let from = 0; from < queryString.length; ) {
    const next = queryString.indexOf('&', from)
    const end = next === -1 ? queryString.length : next
    const equals = queryString.indexOf('=', from)
    const hasText = equals !== -1 && equals < end
    const name = decode(queryString.slice(from, hasText ? equals : end))
    const place = name === undefined ? undefined : names.placeOf.get(name)
    if (name !== undefined && place !== undefined) {
      const text = decode(hasText ? queryString.slice(equals + 1, end) : '')
      given[place] = addText(given[place], name, text, declared)
    } else if (name !== undefined && hasText && end > equals + 1) {
      checkUnknown(name, names, unsupported)
    }
    from = end + 1
  }
  return given
}

/**
 * Formats a JSON value as in a query: the number `1e-7` becomes `0.0000001`. Throws *bad request*
 * for a whole number above 2^53, which was rounded when it was parsed.
 */
export function toQueryText(value: unknown): string {
  if (isRoundedNumber(value)) {
    throw refuse.badRequest('A value is a number above 2^53: send it as text')
  }
  const text = String(value)
  return typeof value === 'number' && text.includes('e-') ? value.toFixed(20) : text
}

/** Reports whether a parsed JSON value is a whole number that a double cannot hold exactly. */
export function isRoundedNumber(value: unknown): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  return Number.isInteger(value) || !Number.isFinite(value)
}

/** No filter has a longer name, so longer ones need not be folded. */
const NAME_MAX = 40

/**
 * Refuses other spellings of a parameter by name; if `unsupported` is given, also filters in it,
 * unknown ranges and misspelled parameters. Other names are ignored, as the contract has it.
 */
function checkUnknown(name: string, { spelled }: Names, unsupported: NameTest | undefined): void {
  if (name.length > NAME_MAX) return
  const folded = foldName(name)
  const meant = spelled.get(folded)
  if (meant !== undefined) throw refuse.badRequest(`${name} is not a parameter; send ${meant}`)
  // A caller who asks for a day must not get today's answer.
  if (folded === 'asof' || unsupported?.has(folded) === true) {
    throw refuse.badRequest(`${name} is not a filter of this operation; leave it out`)
  }
  if (unsupported === undefined) return
  const near = folded.length < MISSPELLED_MIN ? undefined : findNear(folded, spelled)
  if (near !== undefined) throw refuse.badRequest(`${name} is not a parameter; send ${near}`)
  if (/(?:min|max)(?:imum)?$/.test(folded)) throw refuse.badRequest(`${name} is not a parameter`)
}

/** A shorter unknown name is too likely to be another word. */
const MISSPELLED_MIN = 5

/** The parameter whose folded name is within one edit of a folded name (`withinOneEdit`). */
function findNear(folded: string, spelled: ReadonlyMap<string, string>): string | undefined {
  for (const [known, name] of spelled) {
    if (known.length >= MISSPELLED_MIN && withinOneEdit(folded, known)) return name
  }
  return undefined
}

/** Returns the text of a parameter, with `before`, that of its earlier values, if it may repeat. */
function addText(
  before: string | undefined,
  name: string,
  text: string | undefined,
  declared: Declared,
): string {
  const own = checkText(name, text, declared)
  if (before === undefined) return own
  if (declared[name]?.type === 'words') return `${before}${REPEATED}${own}`
  if (declared[name]?.repeats) return `${before},${own}`
  throw refuse.badRequest(`${name} is given more than once`)
}

/** A parameter's text. Throws *bad request* if too long, ill-encoded or with control characters. */
export function checkText(name: string, text: string | undefined, declared: Declared): string {
  if (text === undefined) throw refuse.badRequest(`${name} is not valid percent-encoded UTF-8`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) {
    throw refuse.badRequest(`${name} contains a control character`)
  }
  if (text.length > TEXT_MAX) {
    throw refuse.badRequest(
      declared[name]?.invalid ?? `${name} is longer than ${TEXT_MAX} characters`,
    )
  }
  return text
}

/** Parses JSON. Throws *bad request* with `refusal`. */
export function parseJson(text: string, refusal: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse.badRequest(refusal)
  }
}

const ENCODED = /[%+]/

function asItIs(text: string): string {
  return text
}

function decodeText(text: string): string | undefined {
  if (!ENCODED.test(text)) return text
  try {
    const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
    return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
  } catch {
    return undefined
  }
}
