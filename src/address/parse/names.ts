/** Normalizes street names: ordinals, saints, mounts and forts, abbreviations, known people. */
import { LINES, readForms } from '../../base/tables.ts'
import { listOf } from '../tables.ts'
import { directionalOf, spellDirectional } from './directionals.ts'
import { ordinalDigits, ordinalText, readCardinal, readOrdinal } from './number-words.ts'
import { isPlainSuffix, SPELLED } from './suffixes.ts'
import { isDigits, trimZeros } from './words.ts'

type Name = { key: string[]; shown: string[] }

/**
 * Normalizes the words of a name, so that equal names have equal keys.
 *
 * `suffix`: the street's standard suffix or `''`. A number alone is an ordinal only before a suffix
 * (`77 STREET` = `77TH ST`, but `842 E 1700 S`).
 */
export function canonicalName(words: string[], suffix: string): Name {
  const key: string[] = []
  const shown: string[] = []
  const end = words.length
  for (let at = 0; at < end; ) {
    const word = words[at] as string
    const spoken = isLetters(word) ? readOrdinal(words, at, end) : undefined
    if (spoken !== undefined) {
      const text = ordinalText(String(spoken.value))
      const next = at + spoken.length
      key.push(text)
      // `FIRST LIGHT LN` is shown as recorded, `FIRST ST` as 1ST.
      const isStreet = next >= end || isPlainSuffix(words[next] as string)
      shown.push(...(isStreet ? [text] : words.slice(at, next)))
      at = next
      continue
    }
    const number = readNumberWord(words, at, end, suffix)
    if (number !== undefined) {
      key.push(number.text)
      // `E 1900 RD` of a grid has no ordinal.
      shown.push(suffix === 'RD' && word.length > 2 && isDigits(word) ? word : number.text)
      at += number.length
      continue
    }
    const cardinal = isLetters(word) ? readCardinal(words, at, end) : undefined
    // `S THIRTEEN HUNDRED W` is Utah's 1300 West.
    const isGrid = suffix === '' && words[end - 1] === 'HUNDRED'
    if (cardinal !== undefined && (at + cardinal.length < end || at > 0 || isGrid)) {
      key.push(String(cardinal.value))
      for (const text of words.slice(at, at + cardinal.length)) shown.push(text)
      at += cardinal.length
      continue
    }
    // `AVENUE OF AMERICAS` is the Avenue of the Americas.
    if (word !== 'THE' || key.at(-1) !== 'OF') key.push(spellWord(words, at, suffix, key.at(-1)))
    shown.push(word)
    at++
  }
  // `ADAM CLAYTON POWELL JR BLVD`
  if (end > 2 && (words[end - 1] === 'JR' || words[end - 1] === 'JUNIOR')) key.pop()
  return { key: foldPeople(key), shown }
}

/** Reads digits as an ordinal: `22ND` with any ending, `1 ST AVE`, `77 STREET`, `38 STREET CT`. */
function readNumberWord(
  words: string[],
  at: number,
  end: number,
  suffix: string,
): { text: string; length: number } | undefined {
  const word = words[at] as string
  const digits = ordinalDigits(word)
  // Houston's `18TH 1/2 ST` is `18 1/2 ST`.
  if (digits !== undefined && words[at + 1]?.[1] === '/') return { text: digits, length: 1 }
  if (digits !== undefined) return { text: ordinalText(trimZeros(digits)), length: 1 }
  // `3D ST`, `22D AVE`: as lawyers write them.
  const isShort = end === 1 && word.endsWith('D') && suffix !== '' && SHORT_ORDINAL.test(word)
  if (isShort) return { text: ordinalText(trimZeros(word.slice(0, -1))), length: 1 }
  if (word.length > 4 || !isDigits(word)) return undefined
  // `BAY 25 ST`, `OLD 9 AVE`
  const before = at > 0 && at === end - 1 ? (words[at - 1] as string) : ''
  const isAfterName = before !== 'AND' && /^[A-Z]{3,}$/.test(before)
  if (isAfterName && word.length < 4 && (suffix === 'ST' || suffix === 'AVE'))
    return { text: ordinalText(trimZeros(word)), length: 1 }
  const typed = at === 0 && end === 2 && OTHER_STREET_WORDS.has(words[1] as string)
  if (suffix === '' && !typed) return undefined
  const text = ordinalText(trimZeros(word))
  const next = words[at + 1]
  // `21 TH` is a typing error, and `TH` alone is not a name.
  if (next !== undefined && at + 1 < end && (text === trimZeros(word) + next || next === 'TH'))
    return { text, length: 2 }
  // `49 W AVE` is 49th West Avenue.
  if (at === 0 && end === 2 && suffix === 'AVE' && directionalOf(next ?? '') !== undefined)
    return { text, length: 1 }
  if (at === 0 && (end === 1 || typed || (end === 2 && AFTER_ORDINAL.has(next ?? ''))))
    return { text, length: 1 }
  return undefined
}

const SHORT_ORDINAL = /^\d{0,2}[23]D$/
const AFTER_ORDINAL = new Set(['ST', 'STREET', 'AVE', 'AVENUE', 'AV'])
/** Words for streets that C1 does not list: `94 BAY` is `94TH BAY`. */
const OTHER_STREET_WORDS = new Set(['BAY', 'CLOSE', 'ESPLANADE', 'PROMENADE', 'CIRCUIT', 'QUAY'])

const SPELLINGS = readForms(listOf('name spellings', LINES))

function spellWord(
  words: string[],
  at: number,
  suffix: string,
  before: string | undefined,
): string {
  const word = words[at] as string
  const spelled = SPELLINGS.get(word)
  if (spelled !== undefined) return spelled
  const isLast = at === words.length - 1
  switch (word) {
    case 'ST': {
      const next = words[at + 1] ?? ''
      // `ST OF DREAMS`: no saint is called so.
      if (next === 'OF') return 'STREET'
      const afterNumber = before !== undefined && (next === 'AND' || /^\d|^[A-Z]$/.test(before))
      const isSaint = isLast ? suffix === '' || at === 0 : !afterNumber
      return isSaint ? 'SAINT' : 'STREET'
    }
    case 'STE':
      return isLast ? word : 'SAINTE'
    case 'STA':
      return isLast ? 'STATION' : 'SANTA'
    case 'DR':
      return at === 0 || before === 'REV' ? 'DOCTOR' : 'DRIVE'
    case 'CO':
      return words[at + 1] === 'LINE' ? 'COUNTY' : word
    case 'AMER':
      return before === 'OF' ? 'AMERICAS' : word
  }
  const isPoint = at === 1 && isLast && suffix !== '' && /^\d+(?:ST|ND|RD|TH)?$/.test(before ?? '')
  if (word.length === 2 || (at > 0 && word.length < 2 && (!isLast || isPoint))) {
    const direction = spellDirectional(word)
    if (direction !== word) return direction
  }
  if (at === 0 && !isLast) {
    const spanish = SPANISH_PREFIXES.get(word)
    if (spanish !== undefined) return spanish
  }
  return SPELLED.get(word) ?? word
}

const SPANISH_PREFIXES = readForms(listOf('spanish prefixes', LINES))

/** Folds names of people that have many spellings, apart from doctor and junior. */
function foldPeople(words: string[]): string[] {
  // Florida's coastal road A1A is written without a word for road.
  if (words.length === 1 && words[0] === 'A1A') return ['STATE', 'A1A']
  // `EYE ST` is how Washington and Sacramento write I Street.
  if (words.length === 1 && words[0] === 'EYE') return ['I']
  if (!words.some((word) => PEOPLE.has(word))) return words
  return words
    .join(' ')
    .replace(KING, 'MARTIN LUTHER KING')
    .replace(KENNEDY, 'JOHN F KENNEDY')
    .split(' ')
}

const PEOPLE = new Set(['KING', 'MLK', 'JFK', 'KENNEDY'])
const KING = new RegExp(
  String.raw`\b(?:(?:DOCTOR|DR|REV|REVEREND) ){0,2}(?:MARTIN (?:LUTHER |L )?KING|M (?:LUTHER` +
    String.raw`|L) KING|ML KING|MLK)(?: (?:JR|JUNIOR))?\b`,
)
const KENNEDY =
  /\b(?:(?:PRES|PRESIDENT) )?(?:JOHN (?:F|FITZGERALD) KENNEDY|J F KENNEDY|JF KENNEDY|JFK)\b/

const isLetters = (word: string) => word >= 'A'
