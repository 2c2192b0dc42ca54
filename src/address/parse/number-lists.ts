/** Reads several house numbers of one parcel: `131, 133, 135`, `171 A & B`, `28A-28B`. */
import { directionalOf } from './directionals.ts'
import type { Line } from './line.ts'
import { trimZeros } from './words.ts'

export type StreetNumber = {
  /** As keyed: `123`, `123A`, `123 1/2`, `39-12`, `1616-1622`; `''` for none. */
  text: string
  low: string
  /** High end of a range; `''` for none. */
  high: string
  /** Other texts that match it: members of the range, the form without hyphen. Low end first. */
  others: string[]
}

export type StreetAhead = {
  /** Whether a name other than a suffix begins at the word. */
  nameAt(at: number): boolean
  routeAt(at: number): boolean
  /**
   * Reports whether only a plain suffix (and what may follow one) is left from the word on, as in
   * `58 ST`.
   */
  onlySuffixAt(at: number): boolean
}

/** Widest range of house numbers, and of the letters after one. docs/matching.md, rule 1. */
const WIDTH = 100
const LETTERS_WIDTH = 12
const LIST_MAX = 20

/** A number in three parts: `37-` `21` `` in Queens, `171` `A` elsewhere. */
type Member = { prefix: string; number: string; letter: string }

const MEMBER = /^(\d+-)?(\d{1,6})([A-Z]?)$/
/** Words between two numbers of one parcel. */
export const JOINING: ReadonlySet<string> = new Set(['AND', 'TO', 'THRU', 'THROUGH'])
export const FRACTION = /^\d\/\d{1,2}$/

/**
 * Reads a list that begins at a word: numbers with commas, `&` or `AND` between them, or one number
 * with several letters. `undefined`: no list, or no name follows its letter.
 */
export function readNumberList(
  line: Line,
  at: number,
  ahead: StreetAhead,
): { number: StreetNumber; next: number } | undefined {
  const read = readMembers(line, at, ahead)
  // `131, 133, 135 ST`: the last number is the street's name.
  while (read.length > 1 && ahead.onlySuffixAt(read.at(-1)?.next ?? 0)) read.pop()
  const last = read.at(-1)
  if (last === undefined || read.length < 2) return undefined
  // `120, 4` without a street is no list to 124.
  const isSaid = line.texts.slice(at, last.next).some((word) => JOINING.has(word))
  if (last.next >= line.end && !isSaid) return undefined
  const members = read.map(({ text }) => text)
  const number = listNumber(members)
  // `120 & 124` is not found by 122; `120 TO 124` is.
  const isMember = (text: string) =>
    members.some((one) => one === text || one.replace('-', '') === text)
  const isList = line.texts.slice(at, last.next).includes('AND')
  const others = isList ? number.others.filter(isMember) : number.others
  return { number: { ...number, others }, next: last.next }
}

type ReadMember = { text: string; next: number }

function readMembers({ texts, breaks, end }: Line, from: number, ahead: StreetAhead): ReadMember[] {
  const first = readMember(texts, from, undefined)
  if (first === undefined) return []
  const read = [first]
  const letter = texts[first.next] ?? ''
  // `171 A & B HARLOW ST`: the letter is separate.
  if (isLetter(letter) && /\d$/.test(first.text) && !ahead.routeAt(first.next)) {
    read[0] = { text: first.text + letter, next: first.next + 1 }
  }
  for (let before = read[0]; before !== undefined && read.length < LIST_MAX; ) {
    let at = before.next
    const isJoined = JOINING.has(texts[at] ?? '')
    if (isJoined) at++
    else if (!breaks[at]) break
    const member = at < end ? readMember(texts, at, before.text) : undefined
    // `100 1/2 - 5 MILE RD` is on 5 Mile Road.
    if (member === undefined || (!isJoined && texts[member.next] === 'MILE')) break
    read.push(member)
    before = member
  }
  return read
}

/** Reads a number or, after another member, the letter of one more. */
function readMember(
  texts: readonly string[],
  at: number,
  before: string | undefined,
): ReadMember | undefined {
  const word = texts[at] ?? ''
  const next = at + 1
  const fraction = FRACTION.test(texts[next] ?? '') ? ` ${texts[next]}` : ''
  const last = fraction === '' ? next : next + 1
  if (before === undefined) {
    const own = partsOf(word)
    return own && { text: showMember(own) + fraction, next: last }
  }
  const known = partsOf(before.replace(/ .*/, ''))
  if (known === undefined) return undefined
  if (isLetter(word) && known.letter !== '' && isNear(known.letter, word)) {
    return { text: showMember({ ...known, letter: word }), next }
  }
  // `123 & 1/2 MAIN ST`
  if (FRACTION.test(word)) return { text: `${before} ${word}`, next }
  const own = partsOf(word)
  if (own === undefined) return undefined
  const number =
    own.prefix === '' && known.prefix === '' ? filled(known.number, own.number) : own.number
  const text = showMember({ ...own, number })
  const step = Number(number) - Number(known.number)
  if (step === 0 && own.prefix === known.prefix) {
    if (fraction !== '') return { text: text + fraction, next: last }
    return isNear(known.letter, own.letter) ? { text, next } : undefined
  }
  if (own.prefix !== known.prefix || step <= 0 || step > WIDTH) return undefined
  return { text: text + fraction, next: last }
}

/** `B` soon after `A`, or after no letter. Letters of directions are the street's. */
function isNear(before: string, letter: string): boolean {
  const step = letter.charCodeAt(0) - (before === '' ? 64 : before.charCodeAt(0))
  return letter !== '' && step > 0 && step <= LETTERS_WIDTH
}

const isLetter = (word: string) => /^[A-Z]$/.test(word) && directionalOf(word) === undefined

function partsOf(text: string): Member | undefined {
  const found = MEMBER.exec(text)
  if (found === null) return undefined
  const [, prefix = '', number = '', letter = ''] = found
  const plain = prefix === '' ? number.replace(/^0+(?=\d)/, '') : number
  return plain === '0' ? undefined : { prefix, number: plain, letter }
}

const showMember = ({ prefix, number, letter }: Member) => prefix + number + letter

/** Completes a short high end with the low end's leading digits: `15` after `2213` is `2215`. */
function filled(low: string, high: string): string {
  return high.length < low.length ? low.slice(0, low.length - high.length) + high : high
}

function listNumber(members: readonly string[]): StreetNumber {
  const [low = '', high = ''] = [members[0], members.at(-1)]
  const range = members.length === 2 ? rangeOf(low, high) : undefined
  if (range !== undefined) return range
  const all = rangeOf(low, high)
  // `131, 133, 135` is the range 131-135.
  if (all !== undefined && all.others.join() === members.join()) return all
  return { text: members.join(','), low, high, others: [...members] }
}

/** Reads `28A-28B`, `28A-D`, `2213-15R`, `131-133-135`, `37-21-37-29`; not digits on both sides. */
export function readRangeWord(word: string): StreetNumber | undefined {
  const parts = word.split('-')
  const [first = '', second = '', third = '', fourth = ''] = parts
  if (parts.length === 4) return rangeOf(`${first}-${second}`, `${third}-${fourth}`)
  if (parts.length === 2) {
    const isLettered = /[A-Z]$/.test(first) || /[A-Z]$/.test(second)
    if (!isLettered) return undefined
    return rangeOf(first, /^[A-Z]$/.test(second) ? first.replace(/[A-Z]$/, second) : second)
  }
  if (parts.length < 3 || parts.length > LIST_MAX) return undefined
  const members: string[] = []
  for (const part of parts) {
    const before = members.at(-1)
    if (!/^\d{1,6}$/.test(part)) return undefined
    const number = before === undefined ? part : filled(before, part)
    const step = before === undefined ? 2 : Number(number) - Number(before)
    if (step <= 0 || step % 2 !== 0 || step > WIDTH) return undefined
    members.push(number)
  }
  return listNumber(members)
}

/** Returns the range of two members on one side of a street; `undefined` if they are no range. */
export function rangeOf(lowText: string, highText: string): StreetNumber | undefined {
  const low = partsOf(lowText)
  const high = partsOf(highText)
  if (low === undefined || high === undefined || low.prefix !== high.prefix) return undefined
  const { prefix } = low
  // `1195-07` is no range: the high end is completed with its zeros.
  const digits = highText.slice(prefix.length, highText.length - high.letter.length)
  const end = prefix === '' ? trimZeros(filled(low.number, digits)) : high.number
  const step = Number(end) - Number(low.number)
  if (step < 0 || step % 2 !== 0 || step > WIDTH) return undefined
  const top = { prefix, number: end, letter: high.letter }
  const others = new Set([showMember(low)])
  if (step === 0) {
    if (!isNear(low.letter, high.letter)) return undefined
    const start = low.letter === '' ? 65 : low.letter.charCodeAt(0)
    for (let code = start; code <= high.letter.charCodeAt(0); code++)
      others.add(showMember({ ...low, letter: String.fromCharCode(code) }))
  }
  for (let member = Number(low.number); step > 0 && member <= Number(end); member += 2)
    others.add(prefix + String(member).padStart(prefix === '' ? 1 : low.number.length, '0'))
  others.add(showMember(top))
  // In Queens the hyphen may be left out.
  const joined = prefix === '' ? [] : [...others].map((text) => text.replace('-', ''))
  return {
    text: `${showMember(low)}-${showMember(top)}`,
    low: showMember(low),
    high: showMember(top),
    others: [...others, ...joined],
  }
}
