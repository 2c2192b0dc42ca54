/** The words of a line during parsing. */
import { designatorOf, isIdentifier } from './designators.ts'
import { areAcross, directionalOf } from './directionals.ts'
import { ordinalDigits } from './number-words.ts'
import { hasDigit, type Words } from './words.ts'

/** The words during parsing. `whole`: index of a complete name (a route, `AVENUE C`), or -1. */
export type Line = { texts: string[]; breaks: boolean[]; end: number; whole: number }

/** Copies words into a line that the parsing steps may change. */
export function lineOf({ texts, breaks }: Words): Line {
  return { texts: texts.slice(), breaks: breaks.slice(), end: texts.length, whole: -1 }
}

/** Parts joined words: `123MAIN ST`, and the grid's `48S 400E`, `12345 N 500W RD`. */
export function unglueNumber(line: Line): void {
  const [first = '', second = ''] = line.texts
  const [, number = '', letters] = GLUED_NUMBER.exec(first) ?? []
  if (number === '' || line.end < 2) return
  if (letters !== undefined && letters.length > 2) parted(line, 1, [number, letters])
  const [point, count] = letters === undefined ? [second, 3] : [letters, 2]
  const [, far, axis = ''] = GLUED_POINT.exec(line.texts[count - 1] ?? '') ?? []
  const side = directionalOf(point) ?? ''
  if (far === undefined || !areAcross(side, axis)) return
  if (count > 2 && far.length < 2) return
  parted(line, count, [number, side, far, axis])
}

const GLUED_NUMBER = /^(\d{1,6})([NSEW]|[A-Z]{3,})?$/
const GLUED_POINT = /^(\d{1,5})([NSEW])$/

export function parted(line: Line, count: number, texts: string[]): void {
  splice(line, 0, count, texts)
}

function splice(line: Line, at: number, next: number, added: string[]): void {
  line.texts.splice(at, next - at, ...added)
  line.breaks.splice(at, next - at, ...added.map(() => false))
  line.end += added.length - (next - at)
}

/** Reports whether a street may end before a word: nothing, a direction or a unit follows. */
export function isOverAt(line: Line, at: number): boolean {
  if (at >= line.end) return true
  const word = line.texts[at] as string
  const isLast = at === line.end - 1
  if (word === '#' || (word.length === 1 && isLast)) return true
  if (directionalOf(word) !== undefined) return isLast || isOverAt(line, at + 1)
  const next = line.texts[at + 1] ?? ''
  // `4 B`: an identifier in two words.
  const isUnit = next.length === 1 || designatorOf(next) !== undefined
  if (hasDigit(word)) return !isOrdinal(word) && (isLast || (isUnit && isOverAt(line, at + 1)))
  const designator = isSpanish(line.texts, at) ? undefined : designatorOf(word)
  return (
    designator !== undefined && (isLast || isIdentifier(next) || designatorOf(next) !== undefined)
  )
}

/** Reports whether a unit's word is a name: `LA CASITA`. */
export const isSpanish = (texts: readonly string[], at: number) =>
  texts[at - 1] === 'LA' && (texts[at]?.endsWith('A') ?? false)

export const isOrdinal = (word = '') => ordinalDigits(word) !== undefined

export function cutWords(line: Line, at: number, next: number): void {
  splice(line, at, next, [])
}

export function joinWords(line: Line, at: number, next: number, text: string): void {
  line.texts[at] = text
  cutWords(line, at + 1, next)
}

/** Replaces several words by one, which is then a complete name. */
export function replaceWords(line: Line, at: number, next: number, added: string[]): void {
  splice(line, at, next, added)
  line.whole = at
}
