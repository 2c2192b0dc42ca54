/** Addresses that stand in one text, cut into their parts. Pure; texts come clean from `expression.ts`. */
import { findState } from '../../place/states.ts'
import { readZip } from '../mapping/clean.ts'

export type Place = {
  city: string | null
  state: string | null
  zip: string | null
  zipPlusFour: string | null
}

const ZIP_END = /[,\s]+(\d{5}(?:-? ?\d{4})?)-?$/
const STATE_END = /(^|[,\s]+)([A-Z]{2})\.?$/
const UNIT_START =
  /^(?:#|(?:APT|APARTMENT|UNIT|STE|SUITE|LOT|BLDG|BUILDING|RM|ROOM|SPC|TRLR|FL|FLOOR|NO)\b)|^\d/

/**
 * Cuts `21200 SW 72ND ST, CRETE, NE  68368` into line 1 and place.
 *
 * The city is what stands behind the last comma, unless it is a unit; a state counts behind a comma, before a ZIP, or where it is the roll's own.
 */
export function cutOneLine(text: string, ownState: string): { line: string | null } & Place {
  let rest = text.toUpperCase().replace(/[,\s]+(?:USA|US|UNITED STATES)$/, '')
  const place: Place = { city: null, state: null, zip: null, zipPlusFour: null }
  const zip = ZIP_END.exec(rest)
  if (zip !== null) {
    const read = readZip(zip[1] ?? '')
    place.zip = read?.zip ?? null
    place.zipPlusFour = read?.plusFour ?? null
    rest = rest.slice(0, zip.index)
  }
  const state = STATE_END.exec(rest)
  const code = state?.[2] ?? ''
  const told =
    state?.[1]?.includes(',') === true ||
    (code === ownState && (zip !== null || rest.includes(',')))
  if (state !== null && told && findState(code) !== undefined) {
    place.state = code
    rest = rest.slice(0, state.index)
  }
  const comma = rest.lastIndexOf(',')
  const last = rest.slice(comma + 1).trim()
  if (comma >= 0 && !UNIT_START.test(last)) {
    place.city = last === '' ? null : last
    rest = rest.slice(0, comma)
  }
  const line = rest.replace(/[,\s]+$/, '')
  return { line: line === '' ? null : line, ...place }
}

/** Cuts `LINCOLN, NE 68508-1234` and `PHILADELPHIA PA` into their parts. */
export function cutCityStateZip(text: string): Place {
  let rest = ` ${text.toUpperCase()}`
  const zip = ZIP_END.exec(rest)
  if (zip !== null) rest = rest.slice(0, zip.index)
  const read = zip === null ? null : readZip(zip[1] ?? '')
  const state = STATE_END.exec(rest)
  const known = state !== null && findState(state[2] ?? '') !== undefined
  if (known) rest = rest.slice(0, state.index)
  const city = rest.replace(/[,\s]+$/, '').trim()
  return {
    city: city === '' ? null : city,
    state: known ? (state[2] ?? null) : null,
    zip: read?.zip ?? null,
    zipPlusFour: read?.plusFour ?? null,
  }
}

const CARE_OF = /^(?:%|C\s?[/\\]\s?O\b|CARE OF\b|ATTN\b|ATTENTION\b)[:.\s]*/i
const LINE_START =
  /(?<=\s)(?:\d+[A-Z]?(?:-\d+)?\s+\S|P\.?\s?O\.?\s+BOX|PO\s?BOX|RR\s+\d|HC\s+\d|R\s?R\s?#)/i

/** The name behind `%`, `C/O` or `ATTN` when a whole text is a care-of; else `undefined`. Source: matching.md, rule 9. */
export function readCareOf(text: string): string | undefined {
  const found = CARE_OF.exec(text)
  return found === null ? undefined : text.slice(found[0].length).trim().toUpperCase()
}

/** Cuts a care-of off the front of a mailing line: `ATTN: JANE ROE 12 MAIN ST`. */
export function cutCareOf(line: string): { careOf: string | null; line: string | null } {
  const rest = readCareOf(line)
  if (rest === undefined) return { careOf: null, line }
  const start = LINE_START.exec(` ${rest}`)
  if (start === null) return { careOf: rest === '' ? null : rest, line: null }
  // One less than the match's index, for the blank set before the text.
  const at = start.index - 1
  const careOf = rest.slice(0, at).replace(/[-,\s]+$/, '')
  return {
    careOf: careOf === '' ? null : careOf,
    line: rest.slice(at).trim(),
  }
}
