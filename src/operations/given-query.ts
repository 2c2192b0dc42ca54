/** The texts that a request gives its parameters, before they are read as values. */
import { refuse } from '../errors.ts'

/** What of a declaration counts here. `invalid`: what is said of a text that is too long. */
type Declared = Readonly<Record<string, { type: string; invalid?: string }>>

/**
 * Longest text of one parameter, in characters; the whole request head is limited to 8 KiB besides.
 */
export const TEXT_MAX = 1000

/** A query string, or the names and texts that it would hold. */
export type GivenQuery = string | readonly (readonly [name: string, text: string])[]

/**
 * The raw texts of known parameters, each at the place of the name it was given under. Throws *bad
 * request* for a name that is given twice or not honoured, and as `checkText` does.
 */
export function collectGiven(
  declared: Declared,
  placeOf: ReadonlyMap<string, number>,
  query: GivenQuery,
  unhonoured: ReadonlySet<string> | undefined,
): (string | undefined)[] {
  return typeof query === 'string'
    ? collect(declared, placeOf, query, unhonoured)
    : takePairs(declared, placeOf, query, unhonoured)
}

/** What `collect` makes of a query string, of texts that need no decoding. */
function takePairs(
  declared: Declared,
  placeOf: ReadonlyMap<string, number>,
  pairs: Exclude<GivenQuery, string>,
  unhonoured: ReadonlySet<string> | undefined,
): (string | undefined)[] {
  const given = new Array<string | undefined>(placeOf.size).fill(undefined)
  for (const [name, text] of pairs) {
    const place = placeOf.get(name)
    if (place !== undefined) {
      // A lone surrogate could not stand in a query string.
      give(given, place, name, text.toWellFormed(), declared)
    } else if (text !== '' && unhonoured?.has(name)) throw refuseUnhonoured(name)
  }
  return given
}

/** The raw texts of known parameters, each at the place of the name it was given under. */
function collect(
  declared: Declared,
  placeOf: ReadonlyMap<string, number>,
  queryString: string,
  unhonoured: ReadonlySet<string> | undefined,
): (string | undefined)[] {
  const given = new Array<string | undefined>(placeOf.size).fill(undefined)
  const decode = ENCODED.test(queryString) ? decodeText : asItIs
  for (let from = 0; from < queryString.length; ) {
    const next = queryString.indexOf('&', from)
    const end = next === -1 ? queryString.length : next
    const equals = queryString.indexOf('=', from)
    const hasText = equals !== -1 && equals < end
    const name = decode(queryString.slice(from, hasText ? equals : end))
    const place = name === undefined ? undefined : placeOf.get(name)
    if (name !== undefined && place !== undefined) {
      const text = decode(hasText ? queryString.slice(equals + 1, end) : '')
      give(given, place, name, text, declared)
    } else if (name !== undefined && hasText && end > equals + 1 && unhonoured?.has(name)) {
      throw refuseUnhonoured(name)
    }
    from = end + 1
  }
  return given
}

function refuseUnhonoured(name: string) {
  return refuse.badRequest(`${name} is not a filter of this operation; leave it out`)
}

function give(
  given: (string | undefined)[],
  place: number,
  name: string,
  text: string | undefined,
  declared: Declared,
): void {
  if (given[place] !== undefined) throw refuse.badRequest(`${name} is given more than once`)
  given[place] = checkText(name, text, declared)
}

/**
 * The text of a parameter. Throws *bad request* for one that is too long, badly encoded, or has
 * control characters.
 */
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
