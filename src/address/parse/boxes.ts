/** Post office boxes and rural routes: USPS Publication 28, sections 24, 25 and 28 (2023). */
import { listOf, ROAD_WORDS, ROUTE_KINDS } from '../tables.ts'
import { designatorOf, NUMBER_MARKS } from './designators.ts'
import { directionalOf } from './directionals.ts'
import { suffixOf } from './suffixes.ts'
import { hasDigit, trimZeros } from './words.ts'

/**
 * A box: its name as keyed and shown (`PO BOX 12`, `RR 2 BOX 18`), and its position. `isPlain`: a
 * box at a street, `250 ELM RD BOX 4`, which is no address of its own.
 */
export type Box = {
  name: string
  at: number
  next: number
  isPostal: boolean
  isPlain?: boolean
}

export function readBox(texts: string[]): Box | undefined {
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string
    if (!BOX_LETTERS.includes(text[0] ?? '')) continue
    const [, word = text, glued] = hasDigit(text) ? (GLUED_BOX.exec(text) ?? []) : []
    if (!BOX_WORDS.has(word)) continue
    const hash = glued === undefined && NUMBER_MARKS.has(texts[at + 1] ?? '') ? 1 : 0
    const id = glued ?? texts[at + 1 + hash]
    if (id === undefined || !/^[A-Z]?\d{1,6}[A-Z]?(?:-\d{1,4})?$|^[A-Z]{1,2}$/.test(id)) continue
    const next = glued === undefined ? at + 2 + hash : at + 1
    const number = id.replace(/^0+(?=\w)/, '')
    if (word === 'POB' || word === 'POBOX')
      return { name: `PO BOX ${number}`, at, next, isPostal: true }
    const postal = postalWords(texts, at)
    if (postal > 0) return { name: `PO BOX ${number}`, at: at - postal, next, isPostal: true }
    const route = ruralRoute(texts, at)
    if (route !== undefined)
      return { name: `${route.name} BOX ${number}`, at: route.at, next, isPostal: false }
    const after = at === 0 ? routeAfter(texts, next) : undefined
    if (after !== undefined)
      return { name: `${after} BOX ${number}`, at, next: texts.length, isPostal: false }
    // `CALLER 12`, but `BIN 4 RD`.
    const isAll = next === texts.length && hasDigit(id) && word.length > 1
    const from = texts[at - 1] === 'LOCK' || texts[at - 1] === 'MAIL' ? at - 1 : at
    if (from > 1 && isAtStreet(texts, from, at, next))
      return { name: `BOX ${number}`, at: from, next, isPostal: false, isPlain: true }
    if (from === 0 && (word === 'BOX' || word === 'BX' || isAll))
      return { name: `PO BOX ${number}`, at: 0, next, isPostal: true }
  }
  return undefined
}

/** Reports whether a box is at a street: `77 STATE ROUTE 7 BOX 4`; `MAIN ST B 4` is a unit. */
function isAtStreet(texts: string[], from: number, at: number, next: number): boolean {
  const [before = '', word = '', id = ''] = [texts[from - 1], texts[at], texts[next - 1]]
  if (word === 'B') return suffixOf(before) === 'RD' && next === texts.length && hasDigit(id)
  if (next < texts.length && designatorOf(texts[next]) === undefined) return false
  if (suffixOf(before) !== undefined || directionalOf(before) !== undefined) return true
  const isNumbered = from > 2 || ROAD_WORDS.has(texts[from - 2] ?? '')
  return hasDigit(id) && (isNumbered || !hasDigit(before))
}

/** First letters of the words for a box; skips most words quickly. */
const BOX_LETTERS = 'BPDLC'
const BOX_WORDS = new Set(listOf('boxes'))
const GLUED_BOX = /^(P?O?BO?X)(\d{1,6}[A-Z]?)$/

/** Counts the words before `BOX` that mark a post office box. */
function postalWords(texts: string[], at: number): number {
  const last = texts[at - 1]
  if (last === 'PO' || last === 'POST' || (last === 'FIRM' && texts[at] === 'CALLER')) return 1
  if ((last === 'OFFICE' || last === 'OFF') && texts[at - 2] === 'POST') return 2
  return last === 'O' && texts[at - 2] === 'P' ? 2 : 0
}

/** Returns the rural route after a box, up to the end of the line: `BOX 12, RR 2`. */
function routeAfter(texts: string[], from: number): string | undefined {
  const route = from < texts.length ? ruralRoute(texts, texts.length) : undefined
  return route?.at === from ? route.name : undefined
}

/**
 * `RR 2`, `RURAL ROUTE 2`, `HC 5`, `STAR ROUTE` right before `BOX`. A route begins the line, or it
 * has a number and no street before it. `ELM RD BOX 4` and `77 STATE ROUTE 7 BOX 4` are roads.
 */
function ruralRoute(texts: string[], box: number): { name: string; at: number } | undefined {
  const last = texts[box - 1] ?? ''
  const glued = /^(RR?|HCR?|RFD|SR|RD|RTE?)(\d{1,3}[A-Z]?)$/.exec(last)
  if (glued !== null) {
    const word = glued[1] ?? ''
    const kind = ROUTE_KINDS.get(word)
    if (kind !== undefined && mayBeRoute(texts, box - 1, word))
      return { name: `${kind} ${trimZeros(glued[2] ?? '')}`, at: box - 1 }
  }
  const hasId = /^\d{1,3}[A-Z]?$/.test(last)
  let end = hasId ? box - 1 : box
  const id = hasId ? ` ${trimZeros(last)}` : ''
  if (texts[end - 1] === '#' || texts[end - 1] === 'NO') end--
  for (const length of [3, 2, 1]) {
    const at = end - length
    if (at < 0) continue
    const words = texts.slice(at, end).join(' ')
    const kind = ROUTE_KINDS.get(words)
    if (kind !== undefined && mayBeRoute(texts, at, words)) return { name: `${kind}${id}`, at }
  }
  return undefined
}

/** Reports whether words for a rural route are one and not the end of a road's name. */
function mayBeRoute(texts: string[], at: number, words: string): boolean {
  if (at === 0 || !ROAD_TOO.has(words)) return true
  // `BOX 12, RT 2` is a route; `77 ROUTE 7 BOX 4` is a house on a numbered road.
  return texts[0] === 'BOX' || texts[0] === 'BX'
}

/** Words for a rural route that are words for a road too. */
const ROAD_TOO = new Set(['R', 'RD', 'RT', 'RTE', 'ROUTE', 'SR', 'R D', 'RURAL'])
