/** Addresses that stand in one text, cut into their parts. Pure; texts come clean from `expression.ts`. */

import { directionalOf } from '../../address/parse/directionals.ts'
import { namesNoPlace } from '../../address/parse/noise.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { cityBehindStreet } from '../../address/parse/tails.ts'
import { splitWords } from '../../address/parse/words.ts'
import { foldCity } from '../../fold.ts'
import { findStateEnd, type StateEnd, stateOfZip } from '../../place/states.ts'
import { readZip } from '../mapping/clean.ts'

type Place = {
  city: string | null
  state: string | null
  zip: string | null
  zipPlusFour: string | null
}

const ZIP_END = /[,.\s]+(\d{5}(?:-? ?\d{4})?)-?$/
const COUNTRY_END = /[,\s]+(?:USA|U\.S\.A\.|US|UNITED STATES)$/
const UNIT_START =
  /^(?:#|(?:APT|APARTMENT|UNIT|STE|SUITE|LOT|BLDG|BUILDING|RM|ROOM|SPC|TRLR|FL|FLOOR|NO)\b)|^\d/

/**
 * Cuts `21200 SW 72ND ST, CRETE, NE  68368` into line 1 and place.
 *
 * `ownState`: the roll's state; `''`: not known. The city is what stands behind the last comma, unless it is a unit. Where
 * no comma parts it, it is `ownCity` (what another column says), or what stands behind the street's suffix or the unit, and
 * only before a ZIP or a state. A text that says that there is no address gives nothing.
 */
export function cutOneLine(
  text: string,
  ownState: string,
  ownCity: string | null = null,
): { line: string | null } & Place {
  const { rest: beforeZip, ...zip } = cutZip(text.toUpperCase().replace(COUNTRY_END, ''))
  const state = readStateEnd(beforeZip, zip.zip, ownState, ownCity)
  const rest = state === undefined ? beforeZip : beforeZip.slice(0, state.start)
  const place: Place = { city: null, state: state?.code ?? null, ...zip }
  const comma = rest.lastIndexOf(',')
  const last = rest.slice(comma + 1).trim()
  if (comma >= 0 && !UNIT_START.test(last)) {
    place.city = readCity(last)
    return { line: lineOf(rest.slice(0, comma)), ...place }
  }
  const split = place.state === null && place.zip === null ? undefined : splitCity(rest, ownCity)
  if (split === undefined) return { line: lineOf(rest), ...place }
  return { line: lineOf(split.line), ...place, city: readCity(split.city) }
}

function cutZip(text: string): { rest: string; zip: string | null; zipPlusFour: string | null } {
  const found = ZIP_END.exec(text)
  if (found === null) return { rest: text, zip: null, zipPlusFour: null }
  const read = readZip(found[1] ?? '')
  const rest = text.slice(0, found.index)
  return { rest, zip: read?.zip ?? null, zipPlusFour: read?.plusFour ?? null }
}

/**
 * The state at the end of a line, where it is one: behind a comma, confirmed by the ZIP, or the roll's own behind a city.
 *
 * `94 SKY CT` and `12 N OREGON` are streets: without a comma a word that may belong to the street counts only where a
 * city stands between the two.
 */
function readStateEnd(
  text: string,
  zip: string | null,
  ownState: string,
  ownCity: string | null,
): StateEnd | undefined {
  const state = findStateEnd(text)
  if (state === undefined || state.start === 0) return undefined
  const hasComma =
    text.slice(state.start).includes(',') && !/\.\s*$/.test(text.slice(0, state.start))
  if (hasComma) return state
  const rest = text.slice(0, state.start)
  const isConfirmed =
    zip === null ? state.code === ownState || rest.includes(',') : stateOfZip(zip) === state.code
  if (!isConfirmed && !(zip !== null && state.code === ownState)) return undefined
  const last = rest.slice(rest.lastIndexOf(',') + 1).trim()
  const behindCity = rest.includes(',')
    ? last !== '' && !UNIT_START.test(last)
    : splitCity(rest, ownCity)
  if (behindCity) return state
  if (zip === null) return undefined
  const isStreetWord =
    state.spelled || suffixOf(state.code) !== undefined || directionalOf(state.code) !== undefined
  return isStreetWord ? undefined : state
}

/** Line and city of `123 MAIN ST APT 4 LINCOLN`; `undefined` where it is in doubt which words are the city. */
function splitCity(
  text: string,
  ownCity: string | null,
): { line: string; city: string } | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const plain = words.map((word) => word.replaceAll('.', ''))
  const own = foldCity(ownCity ?? '')
  const length = own.split(' ').length
  const endsInOwn =
    own !== '' && plain.length > length + 1 && foldCity(plain.slice(-length).join(' ')) === own
  const behind = /^\d/.test(plain[0] ?? '') ? cityBehindStreet(plain, plain.length) : 0
  const at = endsInOwn ? plain.length - length : behind
  if (at === 0) return undefined
  return { line: words.slice(0, at).join(' '), city: words.slice(at).join(' ') }
}

const NO_CITY = /^(?:UNKNOWN|UNASSIGNED|UNINCORPORATED|NONE|N\/?A|NO CITY|NOT AVAILABLE)$/

function readCity(text: string): string | null {
  const city = text.replace(/[,.\s]+$/, '').trim()
  return city === '' || NO_CITY.test(city) ? null : city
}

/** Line 1 without marks at its end; `null` where it is empty or says that there is no address. */
function lineOf(text: string): string | null {
  const line = text.replace(/[,\s]+$/, '')
  return line === '' || isNoAddress(line) ? null : line
}

/** Whether a text says that there is no address: `No Address Found`, `UNASSIGNED`. */
export function isNoAddress(text: string): boolean {
  // Nearly all lines begin with a house number: those are read by the address engine alone.
  return !/^[1-9]/.test(text) && namesNoPlace(splitWords(text).texts)
}

/** Cuts `LINCOLN, NE 68508-1234`, `JERSEY CITY, N. J.` and `PHILADELPHIA PA` into their parts. */
export function cutCityStateZip(text: string): Place {
  const { rest, ...zip } = cutZip(` ${text.toUpperCase().replace(COUNTRY_END, '')}`)
  const state = findStateEnd(rest)
  const city = (state === undefined ? rest : rest.slice(0, state.start)).replace(/[,\s]+$/, '')
  return { city: readCity(city), state: state?.code ?? null, ...zip }
}

const CARE_OF = /^(?:%|C\s?[/\\]\s?O\b|CARE OF\b|ATTN\b|ATTENTION\b)[:.\s]*/i
const LINE_START =
  /(?<=\s)(?:\d+[A-Z]?(?:-\d+)?\s+\S|P\.?\s?O\.?\s+BOX|PO\s?BOX|RR\s+\d|HC\s+\d|R\s?R\s?#)/i

/** The name behind `%`, `C/O` or `ATTN` when a whole text is a care-of; else `undefined`. Source: docs/matching.md, rule 9. */
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
